package io.dynajournal.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerCheckTest {

    private static final String WRITTEN = """
        recovered	SoakKeeps|a0	0	0
        acknowledged	SoakKeeps|a0	1	0	11
        acknowledged	SoakKeeps|a0	2	11	12
        """;
    private static final String STORED = """
        replayed	SoakKeeps|a0	1	0	11
        replayed	SoakKeeps|a0	2	11	12
        recovered	SoakKeeps|a0	2	12
        """;

    @TempDir
    Path directory;

    private List<String> problems(String stored, String... written) throws IOException {
        LedgerCheck check = new LedgerCheck();
        for (int i = 0; i < written.length; i++) {
            check.add(Files.writeString(directory.resolve("run-" + i), written[i]));
        }
        return check.compare(Files.writeString(directory.resolve("last"), stored));
    }

    @Test
    void whatWasAcknowledgedIsStored() throws IOException {
        assertThat(problems(STORED, WRITTEN)).isEmpty();
    }

    @Test
    void anEventThatIsStoredAndWasNotAcknowledgedIsAllowed() throws IOException {
        assertThat(problems(STORED.replace("recovered	SoakKeeps|a0	2	12", """
            replayed	SoakKeeps|a0	3	12	13
            recovered	SoakKeeps|a0	3	13\
            """), WRITTEN))
                .isEmpty();
    }

    @Test
    void theLastEventIsLost() throws IOException {
        String stored = """
            replayed	SoakKeeps|a0	1	0	11
            recovered	SoakKeeps|a0	1	11
            """;

        assertThat(problems(stored, WRITTEN))
                .anySatisfy(problem -> assertThat(problem)
                        .isEqualTo("SoakKeeps|a0: event 2 was acknowledged and is not stored; the last is 1"));
    }

    @Test
    void anEventInTheMiddleIsLost() throws IOException {
        assertThat(problems(STORED.replace("replayed	SoakKeeps|a0	1	0	11\n", ""), WRITTEN))
                .containsExactly("SoakKeeps|a0: event 1 was acknowledged with link 11 and is stored as null");
    }

    @Test
    void anotherEventHasItsPlace() throws IOException {
        assertThat(problems(STORED.replace("1	0	11", "1	0	99"), WRITTEN))
                .containsExactly("SoakKeeps|a0: event 1 was acknowledged with link 11 and is stored as 99");
    }

    @Test
    void aRecoveryMissedAnAcknowledgedEvent() throws IOException {
        assertThat(problems(STORED, WRITTEN, "recovered	SoakKeeps|a0	1	11\n"))
                .containsExactly("SoakKeeps|a0: recovered with 1 events after event 2 was acknowledged");
    }

    @Test
    void twoEventsWereAcknowledgedAsOneNumber() throws IOException {
        assertThat(problems(STORED, WRITTEN, "acknowledged	SoakKeeps|a0	2	11	77\n"))
                .contains("SoakKeeps|a0: two events were acknowledged as number 2");
    }

    @Test
    void theStateBehindASnapshotIsCompared() throws IOException {
        String written = WRITTEN.replace("SoakKeeps", "SoakDeletes");

        assertThat(problems("recovered	SoakDeletes|a0	2	12\n", written)).isEmpty();
        assertThat(problems("recovered	SoakDeletes|a0	2	99\n", written))
                .containsExactly("SoakDeletes|a0: the last event 2 was acknowledged with link 12, and the entity"
                        + " recovered with 99");
    }

    @Test
    void anEntityThatDoesNotRecoverIsAProblem() throws IOException {
        assertThat(problems("", WRITTEN)).containsExactly("SoakKeeps|a0 was not recovered at the end");
    }

    @Test
    void theLiveQueryMayMissNothing() throws IOException {
        LedgerCheck check = new LedgerCheck()
                .add(Files.writeString(directory.resolve("observer"), WRITTEN + "seen	SoakKeeps|a0	1\n"));
        check.compare(Files.writeString(directory.resolve("last"), STORED));

        assertThat(check.unseen()).containsExactly("SoakKeeps|a0: the live query has shown 1 of 2 events");
    }
}
