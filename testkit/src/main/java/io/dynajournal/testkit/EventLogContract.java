package io.dynajournal.testkit;

import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.store.EventLog;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What every layout for events must do. A layout's test extends this class, names the layout, and says how an item is
 * removed behind its back; the tests are in the interfaces, by subject. What its format cannot do it declares once, in
 * {@link #capabilities}: that is printed, and the tests then test the refusal.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class EventLogContract
        implements LogAppendTests, LogReadTests, LogDeleteTests, LogWritersTests, LogFaultTests, JournalTests {

    @RegisterExtension
    protected final LocalDynamo local = new LocalDynamo();

    private final String table = local.freshTable();
    private @Nullable LogFixture fixture;

    /** The layout under test on a table of this name. */
    protected abstract JournalLayout layout(String tableName);

    /** The same layout, so set that a hole fails a reading; to override where that is not so by itself. */
    protected JournalLayout layoutWithFatalHoles(String tableName) {
        return layout(tableName);
    }

    @Override
    public final EventLog logWithFatalHoles() {
        return layoutWithFatalHoles(table).open(local.open(RequestListener.NONE));
    }

    @BeforeAll
    void createTable() {
        System.out.println(capabilities().describe(getClass().getSimpleName()));
        fixture = LogFixture.create(local, layout(table));
    }

    @Override
    public final LogFixture fixture() {
        return Objects.requireNonNull(fixture);
    }
}
