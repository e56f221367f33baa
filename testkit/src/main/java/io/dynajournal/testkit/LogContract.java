package io.dynajournal.testkit;

import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.listener.RequestListener;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The table that the tests of a journal layout share. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LogContract implements LogTests {

    @RegisterExtension
    protected final LocalDynamo local = new LocalDynamo();

    private final String table = local.freshTable();
    private @Nullable LogFixture fixture;

    /** The layout under test, for a table of this name. */
    protected abstract JournalLayout layout(String tableName);

    /** The same layout with {@code fatal-gaps = on}; override it where a gap does not fail a read by default. */
    protected JournalLayout layoutWithFatalGaps(String tableName) {
        return layout(tableName);
    }

    @Override
    public final EventLog logWithFatalGaps() {
        return layoutWithFatalGaps(table).open(local.open(RequestListener.NONE));
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
