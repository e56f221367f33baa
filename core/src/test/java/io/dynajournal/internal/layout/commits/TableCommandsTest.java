package io.dynajournal.internal.layout.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.TableSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The commands in the documentation create the tables that the plugins expect. */
final class TableCommandsTest {

    private static void assertDocumented(TableSpec table) throws IOException {
        assertThat(Files.readString(Path.of("../docs/operations.md")))
                .contains("```sh\n" + table.awsCommands() + "\n```");
    }

    @Test
    void theJournalTableIsDocumented() throws IOException {
        assertDocumented(CommitsJournal.of("dynajournal_events").table());
    }

    @Test
    void theSnapshotTableIsDocumented() throws IOException {
        assertDocumented(CommitsSnapshots.of("dynajournal_snapshots").table());
        assertDocumented(
                CommitsSnapshots.of("dynajournal_snapshots").withIndex().table());
    }

    @Test
    void theTableOfDurableStatesIsDocumented() throws IOException {
        assertDocumented(CommitsStates.of("dynajournal_states").table());
    }
}
