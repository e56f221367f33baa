package io.dynajournal;

import akka.actor.ActorSystem;
import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.listener.RequestListener;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** What is in a table, read past the toolkit. */
final class Stored {

    private Stored() {}

    static List<StoredEvent> events(ActorSystem system, String table, String persistenceId) {
        Dynamo dynamo = new Dynamo(
                AwsClient.of(OpenPlugins.get(system).client("dynajournal.client")),
                RetrySettings.DEFAULTS,
                RequestListener.NONE,
                Clock.systemUTC());
        SeqRange range = SeqRange.singleEvents(1, Long.MAX_VALUE, Long.MAX_VALUE);
        List<StoredEvent> events = new ArrayList<>();
        Pages.<PageToken>drain(
                        null,
                        token -> CommitsJournal.of(table)
                                .open(dynamo)
                                .read(persistenceId, range, token)
                                .thenApply(page -> {
                                    events.addAll(page.events());
                                    return page.next();
                                }))
                .toCompletableFuture()
                .join();
        return events;
    }
}
