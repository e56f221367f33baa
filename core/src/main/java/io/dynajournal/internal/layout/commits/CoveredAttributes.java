package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.wire.Frame;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.Checksum;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The attributes of an item that the checksum of its frame covers: those that never change while the frame is there. Each one
 * that the item has is added as its name, its values and a zero byte after each of these.
 *
 * @param names in the order in which they are added
 */
record CoveredAttributes(Item item, List<String> names) implements Frame.Covered {

    private static final int SEPARATOR = 0;

    @Override
    public void addTo(Checksum checksum) {
        for (String name : names) {
            AttributeValue value = item.attributes().get(name);
            if (value != null) {
                add(checksum, name);
                add(checksum, name, value);
            }
        }
    }

    private void add(Checksum checksum, String name, AttributeValue value) {
        switch (value.type()) {
            case S -> add(checksum, value.s());
            case B -> add(checksum, value.b().asByteArrayUnsafe());
            case SS -> item.texts(name).stream().sorted().forEach(each -> add(checksum, each));
            default -> add(checksum, Long.toString(item.number(name)));
        }
    }

    private static void add(Checksum checksum, String text) {
        add(checksum, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void add(Checksum checksum, byte[] bytes) {
        checksum.update(bytes);
        checksum.update(SEPARATOR);
    }

    @Override
    public String toString() {
        return "the attributes " + names;
    }
}
