package io.dynajournal;

import akka.actor.ActorSystem;
import io.dynajournal.dynamo.AwsClient;
import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.dynamo.RetrySettings;
import io.dynajournal.layout.commits.CommitsJournal;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.Pages;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** What is in a table, read past the toolkit. */
final class Stored {

    private Stored() {}

    static List<StoredEvent> events(ActorSystem system, String table, String persistenceId) {
        Dynamo dynamo = new Dynamo(
                AwsClient.of(Dynajournal.get(system).client("dynajournal.client")),
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
