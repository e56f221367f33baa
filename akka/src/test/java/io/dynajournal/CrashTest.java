package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.pattern.Patterns;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The process ends in the middle of writes: some requests have been answered, one may have been sent, none comes after.
 * Events are so large, and items so small, that an atomic write takes several requests.
 */
final class CrashTest {

    private static final String SMALL_ITEMS = "\ndynajournal.journal { table = crash_events, item-size = 4096 B }";
    private static final int MOST_REQUESTS = 8;

    @RegisterExtension
    final Systems systems = new Systems();

    private final List<String> events = events(10);
    private final ActorSystem survivor = systems.start(SMALL_ITEMS);

    /** Texts that do not compress. */
    private static List<String> events(int count) {
        Random random = new Random(4711);
        return IntStream.range(0, count)
                .mapToObj(n -> n + ":"
                        + random.ints(1000, '!', '~')
                                .mapToObj(Character::toString)
                                .collect(Collectors.joining()))
                .toList();
    }

    @Test
    void persistAllIsWholeOrAbsent() {
        int whole = 0;
        for (int answered = 0; answered <= MOST_REQUESTS; answered++) {
            for (boolean nextIsSent : new boolean[] {false, true}) {
                List<String> recovered = recoveredAfterCrash(List.of(new Ledger.AddAll(events)), answered, nextIsSent);
                assertThat(recovered).isIn(List.of(), events);
                whole += recovered.isEmpty() ? 0 : 1;
            }
        }
        assertThat(whole).as("crashes after the last request").isBetween(1, 2 * MOST_REQUESTS - 1);
    }

    @Test
    void persistInALoopLeavesAPrefix() {
        List<Ledger.Add> loop = events.stream().map(Ledger.Add::new).toList();
        boolean partial = false;
        for (int answered = 0; answered <= MOST_REQUESTS; answered += 2) {
            List<String> recovered = recoveredAfterCrash(loop, answered, answered % 4 == 0);
            assertThat(recovered).isEqualTo(events.subList(0, recovered.size()));
            partial |= !recovered.isEmpty() && recovered.size() < events.size();
        }
        assertThat(partial).as("some crash was in the middle").isTrue();
    }

    /** This number of writes is answered, perhaps one more is sent, and then nothing gets through. */
    private List<String> recoveredAfterCrash(List<?> commands, int answered, boolean nextIsSent) {
        String id = Systems.freshId();
        try (FaultProxy proxy = Systems.proxy()) {
            ActorSystem crashing = systems.start(Systems.through(proxy) + SMALL_ITEMS);
            Probe before = new Probe(crashing);
            ActorRef ledger = crashing.actorOf(Ledger.props(id, before.ref()));
            before.expect(Ledger.Recovered.class);
            RequestMatch writes = RequestMatch.writes();
            HeldRequest crash = nextIsSent
                    ? proxy.when(writes).after(answered).holdReply()
                    : proxy.when(writes).after(answered).hold();
            proxy.when(writes).after(answered).always().loseRequest();
            commands.forEach(command -> ledger.tell(command, ActorRef.noSender()));
            CompletableFuture<?> allDone = Patterns.ask(ledger, new Ledger.Get(), Duration.ofMinutes(1))
                    .toCompletableFuture();
            CompletableFuture.anyOf(CompletableFuture.runAsync(crash::awaitArrival), allDone)
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
            systems.stop(crashing);
        }
        Probe after = new Probe(survivor);
        ActorRef again = survivor.actorOf(Ledger.props(id, after.ref()));
        after.expect(Ledger.Recovered.class);
        return after.state(again).events();
    }
}
