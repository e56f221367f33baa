package io.dynajournal.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs of {@link HistoryCheckTest} on a real server, with faults of a proxy: a few in real time, without queries by slice. {@code
 * -Ddynajournal.history.server=20} runs that many of each layout; a seed names a program, not the order of its requests.
 */
@Execution(ExecutionMode.SAME_THREAD)
class ServerHistoryTest {

    private static final int PROGRAMS = Integer.getInteger("dynajournal.history.server", 1);
    private static final long SEED = Long.getLong("dynajournal.history.seed", 1);

    @RegisterExtension
    static final LocalDynamo DYNAMO = new LocalDynamo();

    /** Where events expire, minutes would have to pass. */
    static Stream<Subject> layouts() {
        return Subject.all().stream().filter(subject -> subject.eventLife() == null);
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void everyGuaranteeHoldsOnARealServer(Subject subject) {
        long acknowledged = 0;
        for (long seed = SEED; seed < SEED + PROGRAMS; seed++) {
            Program program = Program.random(subject, seed);
            deleteTables();
            try (ServerWorld world = new ServerWorld(DYNAMO.endpoint(), new SplittableRandom(seed))) {
                acknowledged += new Run(program, random -> world).execute().acknowledged();
            } catch (RuntimeException e) {
                throw new AssertionError(program + ": " + e.getMessage(), e);
            }
        }
        deleteTables();
        assertThat(acknowledged).isPositive();
    }

    private static void deleteTables() {
        List<String> found = Await.result(DYNAMO.client().listTables()).tableNames();
        Stream.of(Subject.JOURNAL, Subject.SNAPSHOTS)
                .filter(found::contains)
                .forEach(table -> Await.result(DYNAMO.client().deleteTable(request -> request.tableName(table))));
    }
}
