package io.dynajournal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.store.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class InsertsTest {

    /** What was sent and is not answered yet. */
    private static final class HeldWire implements Inserts.Wire {

        record Sent(List<Inserts.Insert> inserts, boolean group, CompletableFuture<List<Boolean>> answer) {}

        final List<Sent> held = new ArrayList<>();
        final List<Integer> groups = new ArrayList<>();

        @Override
        public CompletionStage<Optional<Item>> alone(Inserts.Insert insert) {
            return hold(List.of(insert), false).thenApply(stored -> Optional.empty());
        }

        @Override
        public CompletionStage<List<Boolean>> together(List<Inserts.Insert> inserts) {
            groups.add(inserts.size());
            return hold(inserts, true);
        }

        private CompletableFuture<List<Boolean>> hold(List<Inserts.Insert> inserts, boolean group) {
            CompletableFuture<List<Boolean>> answer = new CompletableFuture<>();
            held.add(new Sent(List.copyOf(inserts), group, answer));
            return answer;
        }

        void answer(int index) {
            Sent sent = held.remove(index);
            sent.answer().complete(sent.inserts().stream().map(insert -> true).toList());
        }
    }

    private final HeldWire wire = new HeldWire();
    private final AtomicLong nanos = new AtomicLong();
    private final Queue<Runnable> later = new ArrayDeque<>();

    private static Inserts.Insert insert(int number) {
        return new Inserts.Insert("t", Item.create().text("pid", "id" + number).number("seq", 1), "pid", 0);
    }

    private List<CompletionStage<Optional<Item>>> insert(Inserts inserts, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(number -> inserts.insert(insert(number)))
                .toList();
    }

    @Test
    void whileFewAreOnTheWayEachGoesAtOnceByItself() {
        Inserts inserts = new Inserts(wire, Runnable::run, 10, () -> true, later::add, nanos::get);
        insert(inserts, 0, 10);
        assertThat(wire.held).hasSize(10).noneMatch(HeldWire.Sent::group);
    }

    @Test
    void whatWaitsGoesTogether() {
        Inserts inserts = new Inserts(wire, Runnable::run, 10, () -> true, later::add, nanos::get);
        insert(inserts, 0, 70);
        assertThat(wire.held).hasSize(10);

        wire.answer(0);
        wire.answer(0);
        wire.answer(0);
        assertThat(wire.held).hasSize(10);
        assertThat(wire.groups).containsExactly(25, 25, 10);
    }

    /** Inserts that come while the threads which send do something else. */
    private void insertAllAtOnce(Inserts inserts, Queue<Runnable> tasks, int from, int to) {
        insert(inserts, from, to);
        runAll(tasks);
    }

    @Test
    void whatTheSendersDoNotKeepUpWithGoesTogether() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        Inserts inserts = new Inserts(wire, tasks::add, 50, () -> true, later::add, nanos::get);
        insertAllAtOnce(inserts, tasks, 0, 3);
        assertThat(wire.held).hasSize(3).noneMatch(HeldWire.Sent::group);

        insertAllAtOnce(inserts, tasks, 100, 153);
        assertThat(wire.groups).containsExactly(18, 18, 17);
        assertThat(wire.held).hasSize(3 + 3);
    }

    @Test
    void whileTheProcessorsHaveTimeEachGoesByItself() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        AtomicBoolean busy = new AtomicBoolean();
        Inserts inserts = new Inserts(wire, tasks::add, 90, busy::get, later::add, nanos::get);
        insertAllAtOnce(inserts, tasks, 0, 40);
        assertThat(wire.held).hasSize(40).noneMatch(HeldWire.Sent::group);

        busy.set(true);
        insertAllAtOnce(inserts, tasks, 100, 141);
        assertThat(wire.groups).containsExactly(21, 20);
    }

    /** Twenty answers that take ten times as long as the first one did. */
    private Inserts congested() {
        Inserts inserts = new Inserts(wire, Runnable::run, 50, () -> false, later::add, nanos::get);
        insert(inserts, 0, 1);
        pass(1);
        wire.answer(0);
        insert(inserts, 0, 30);
        pass(10);
        answer(20);
        assertThat(wire.held).hasSize(10).noneMatch(HeldWire.Sent::group);
        return inserts;
    }

    private void pass(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void answer(int times) {
        for (int i = 0; i < times; i++) {
            wire.answer(0);
        }
    }

    @Test
    void whileTheServerIsCongestedInsertsWaitForTheReturnOfOthersAndGoTogether() {
        Inserts inserts = congested();
        insert(inserts, 100, 106);
        answer(6);
        assertThat(wire.held).hasSize(4).noneMatch(HeldWire.Sent::group);
        answer(1);
        assertThat(wire.groups).containsExactly(3);
        answer(1);
        assertThat(wire.groups).containsExactly(3, 2);
        assertThat(wire.held).hasSize(4);
    }

    @Test
    void aRequestToACongestedServerCarriesAboutAQuarterOfAll() {
        Inserts inserts = congested();
        insert(inserts, 100, 120);
        answer(10);
        assertThat(wire.groups).containsExactly(6, 6, 6);
        assertThat(wire.held).as("two more wait for a third").hasSize(3);
        insert(inserts, 200, 201);
        assertThat(wire.groups).containsExactly(6, 6, 6, 3);
    }

    @Test
    void aFullGroupDoesNotWaitForACongestedServer() {
        insert(congested(), 100, 100 + Inserts.LARGEST_GROUP);
        assertThat(wire.groups).containsExactly(Inserts.LARGEST_GROUP);
    }

    @Test
    void aServerThatKeepsUpAgainGetsEachByItself() {
        Inserts inserts = congested();
        pass(1000);
        insert(inserts, 100, 120);
        assertThat(wire.held).hasSize(30).noneMatch(HeldWire.Sent::group);
    }

    @Test
    void whatWaitsGoesAfterTheCongestionEvenIfNothingReturns() {
        Inserts inserts = congested();
        insert(inserts, 100, 103);
        assertThat(wire.held).hasSize(10);
        pass(1000);
        runAll(later);
        assertThat(wire.held).hasSize(13).noneMatch(HeldWire.Sent::group);
    }

    @Test
    void oneThatFailedDoesNotTellHowQuickTheServerIs() {
        Inserts inserts = new Inserts(wire, Runnable::run, 50, () -> false, later::add, nanos::get);
        insert(inserts, 0, 1);
        wire.held.remove(0).answer().completeExceptionally(new StoreException.Unavailable("no credentials", null));
        insert(inserts, 0, 30);
        pass(10);
        answer(20);
        insert(inserts, 100, 120);
        assertThat(wire.held).hasSize(30).noneMatch(HeldWire.Sent::group);
    }

    @Test
    void oneAloneNeverWaitsForACongestedServer() {
        Inserts inserts = congested();
        answer(10);
        insert(inserts, 100, 102);
        assertThat(wire.held).hasSize(2).noneMatch(HeldWire.Sent::group);
    }

    private static void runAll(Queue<Runnable> tasks) {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Test
    void withoutGroupsEachGoesByItself() {
        insert(new Inserts(wire, Runnable::run, 0, () -> true, later::add, nanos::get), 0, 100);
        assertThat(wire.held).hasSize(100).noneMatch(HeldWire.Sent::group);
    }

    @Test
    void aLargeItemGoesByItself() {
        Inserts inserts = new Inserts(wire, Runnable::run, 1, () -> true, later::add, nanos::get);
        insert(inserts, 0, 2);
        inserts.insert(new Inserts.Insert(
                "t",
                Item.create().text("pid", "large").number("seq", 1).bytes("b", new byte[Inserts.LARGEST_ITEM]),
                "pid",
                0));
        assertThat(wire.held).hasSize(2).noneMatch(HeldWire.Sent::group);
    }

    @Test
    void whatAGroupDidNotStoreGoesByItself() {
        Inserts inserts = new Inserts(wire, Runnable::run, 1, () -> true, later::add, nanos::get);
        List<CompletionStage<Optional<Item>>> results = insert(inserts, 0, 4);
        wire.answer(0);
        HeldWire.Sent group = wire.held.remove(0);
        group.answer().complete(List.of(true, false, true));

        assertThat(results.get(2).toCompletableFuture()).isNotDone();
        assertThat(wire.held).singleElement().satisfies(sent -> {
            assertThat(sent.group()).isFalse();
            assertThat(sent.inserts()).containsExactly(group.inserts().get(1));
        });
        wire.answer(0);
        assertThat(results)
                .allSatisfy(result -> assertThat(result.toCompletableFuture()).isCompletedWithValue(Optional.empty()));
    }

    @Test
    void whereGroupsAreRefusedThereAreNoMore() {
        Inserts inserts = new Inserts(wire, Runnable::run, 1, () -> true, later::add, nanos::get);
        insert(inserts, 0, 4);
        wire.answer(0);
        wire.held.remove(0).answer().completeExceptionally(new StoreException.Refused("no PartiQL here", null));
        assertThat(wire.held).hasSize(3).noneMatch(HeldWire.Sent::group);

        insert(inserts, 4, 10);
        assertThat(wire.held).hasSize(9).noneMatch(HeldWire.Sent::group);
    }

    @Test
    void whatWaitsWhereGroupsAreRefusedGoesByItself() {
        Inserts inserts = congested();
        insert(inserts, 100, 106);
        answer(7);
        assertThat(wire.groups).containsExactly(3);
        wire.held.remove(3).answer().completeExceptionally(new StoreException.Refused("no PartiQL here", null));
        assertThat(wire.groups).containsExactly(3);
        assertThat(wire.held).hasSize(3 + 6).noneMatch(HeldWire.Sent::group);
    }

    @Test
    void aGroupThatFailedIsNoReasonToStop() {
        Inserts inserts = new Inserts(wire, Runnable::run, 1, () -> true, later::add, nanos::get);
        insert(inserts, 0, 4);
        wire.answer(0);
        wire.held.remove(0).answer().completeExceptionally(new StoreException.Unavailable("no answer", null));
        assertThat(wire.held).hasSize(3).noneMatch(HeldWire.Sent::group);

        insert(inserts, 4, 10);
        wire.answer(3);
        assertThat(wire.groups).containsExactly(3, 5);
    }

    /** Whatever the order of answers: each insert is answered, and no group holds a place twice. */
    @Test
    void everyInsertEnds() {
        for (long seed = 1; seed <= 200; seed++) {
            HeldWire held = new HeldWire();
            Random random = new Random(seed);
            AtomicBoolean busy = new AtomicBoolean();
            Inserts inserts =
                    new Inserts(held, Runnable::run, 1 + random.nextInt(30), busy::get, later::add, nanos::get);
            List<CompletionStage<Optional<Item>>> results = new ArrayList<>();
            for (int step = 0; step < 500; step++) {
                busy.set(random.nextInt(4) == 0);
                pass(random.nextInt(20) == 0 ? 500 : random.nextInt(3));
                if (random.nextInt(3) > 0) {
                    results.add(inserts.insert(insert(random.nextInt(40))));
                } else if (!held.held.isEmpty()) {
                    settle(held, random);
                }
            }
            while (!held.held.isEmpty()) {
                settle(held, random);
            }
            assertThat(results)
                    .as("seed %d", seed)
                    .allMatch(result -> result.toCompletableFuture().isDone());
        }
    }

    private static void settle(HeldWire wire, Random random) {
        HeldWire.Sent sent = wire.held.remove(random.nextInt(wire.held.size()));
        assertThat(sent.inserts()).hasSizeLessThanOrEqualTo(Inserts.LARGEST_GROUP);
        assertThat(new HashSet<>(
                        sent.inserts().stream().map(Inserts.Insert::key).toList()))
                .hasSameSizeAs(sent.inserts());
        if (sent.group() && random.nextInt(5) == 0) {
            sent.answer().completeExceptionally(new StoreException.Unavailable("lost", null));
        } else {
            sent.answer()
                    .complete(sent.inserts().stream()
                            .map(insert -> random.nextInt(5) > 0)
                            .toList());
        }
    }
}
