package io.dynajournal.internal.layout.akka2;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.LayoutSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tables are created as those of 2.x: the indexes hold whole items, and the documented commands create the same. */
final class Akka2TableCommandsTest {

    private static void assertDocumented(TableSpec table, String index, String rangeKey) throws IOException {
        assertThat(table.awsCommands())
                .contains("{\"IndexName\": \"" + index
                        + "\", \"KeySchema\": [{\"AttributeName\": \"entity_type_slice\", \"KeyType\": \"HASH\"},"
                        + " {\"AttributeName\": \"" + rangeKey + "\", \"KeyType\": \"RANGE\"}],"
                        + " \"Projection\": {\"ProjectionType\": \"ALL\"}}");
        assertThat(Files.readString(Path.of("../docs/adopting/akka2.md")))
                .contains("```sh\n" + table.awsCommands() + "\n```");
    }

    @Test
    void journalWithItsIndex() throws IOException {
        assertDocumented(Akka2Journal.of(new LayoutSettings(Map.of())).table(), "event_journal_slice_idx", "ts");
    }

    @Test
    void snapshotsWithTheirIndex() throws IOException {
        assertDocumented(
                Akka2Snapshots.of(new LayoutSettings(Map.of())).table(), "snapshot_slice_idx", "event_timestamp");
    }
}
