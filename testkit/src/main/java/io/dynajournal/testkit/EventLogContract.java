package io.dynajournal.testkit;

import io.dynajournal.layout.JournalLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What every layout for events must do. A layout's test extends this class, names the layout, and says how an item is
 * removed behind its back; the tests are in the interfaces, by subject.
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

    @BeforeAll
    void createTable() {
        fixture = LogFixture.create(local, layout(table));
    }

    @Override
    public final LogFixture fixture() {
        return Objects.requireNonNull(fixture);
    }
}
