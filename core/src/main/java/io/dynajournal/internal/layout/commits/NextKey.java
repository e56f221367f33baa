package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.ItemPage;
import io.dynajournal.internal.store.PageToken;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The key after which the next page starts. */
record NextKey(Map<String, AttributeValue> key) implements PageToken {

    /** Null after the last page. */
    static @Nullable NextKey after(ItemPage page) {
        return page.next() == null ? null : new NextKey(page.next());
    }

    /** The start key of a request; null for the first page. */
    static @Nullable Map<String, AttributeValue> startKey(@Nullable PageToken token) {
        return token == null ? null : ((NextKey) token).key();
    }
}
