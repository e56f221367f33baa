package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a listener learns of a request: whose it is, and how large a batch. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestEventTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final List<RequestEvent> events = new CopyOnWriteArrayList<>();

    private EventLog open(JournalLayout journal) {
        local.create(journal.table());
        return journal.open(local.open(new RequestListener() {
            @Override
            public void onRequest(RequestEvent event) {
                events.add(event);
            }
        }));
    }

    private List<RequestEvent> of(Operation operation) {
        return events.stream().filter(event -> event.operation() == operation).toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = Layout.class,
            names = {"COMMITS", "AKKA2", "J5IK2O"})
    void writesAndRecoveriesHaveTheirEntityType(Layout layout) {
        EventLog log = open(layout.journal(new LayoutSettings(Map.of(layout.journalTableKey(), local.freshTable()))));
        LogWriter.recover(log, "Cart|17").writeSingles(2);
        LogReading.all(log, "Cart|17");
        assertThat(of(Operation.PUT))
                .filteredOn(event -> event.entityType().equals("Cart"))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.items()).isEqualTo(1));
        if (layout != Layout.J5IK2O) {
            assertThat(of(Operation.QUERY))
                    .filteredOn(event -> event.entityType().equals("Cart"))
                    .isNotEmpty()
                    .allSatisfy(event -> assertThat(event.items()).isZero());
        }
        events.clear();
        LogWriter.recover(log, "plain").writeSingles(1);
        assertThat(events)
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.entityType()).isEmpty());
    }

    @Test
    void aBatchHasItsSizeAndNoEntityType() {
        Layout layout = Layout.J5IK2O;
        EventLog log = open(layout.journal(new LayoutSettings(Map.of(layout.journalTableKey(), local.freshTable()))));
        LogWriter.recover(log, "Cart|17").writeSingles(12);
        Await.result(log.deleteTo("Cart|17", 11));
        assertThat(of(Operation.BATCH_WRITE))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.entityType()).isEmpty());
        assertThat(of(Operation.BATCH_WRITE))
                .anySatisfy(event -> assertThat(event.items()).isGreaterThan(5));
    }
}
