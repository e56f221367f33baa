package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.PutBatcher.Outcome;
import io.dynajournal.listener.Lane;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

final class PutBatcherTest {

    private static final String KEY = "pid";
    private static final RequestKind WRITES = new RequestKind(Lane.WRITE, "t", true);

    /** Keeps what was sent until the test answers it. */
    private static final class HeldSender implements PutBatcher.Sender {

        record Sent(List<Insert> inserts, boolean group, CompletableFuture<List<Outcome>> answer) {}

        final FlowControl limit;
        final Executor threads;
        boolean busy;
        final List<Sent> held = new ArrayList<>();
        final List<Integer> groups = new ArrayList<>();
        final Queue<Runnable> delayed = new ArrayDeque<>();
        final Map<Insert, Runnable> deadlines = new LinkedHashMap<>();
        final Set<Insert> late = new HashSet<>();

        HeldSender(int maxConcurrency) {
            this(maxConcurrency, Runnable::run);
        }

        /** @param executor sends what has waited */
        HeldSender(int maxConcurrency, Executor executor) {
            this.threads = executor;
            this.limit = new FlowControl(maxConcurrency, false, executor, (nanos, task) -> {}, System::nanoTime);
        }

        @Override
        public CompletionStage<Optional<Item>> send(Insert insert) {
            CompletableFuture<Optional<Item>> sent = new CompletableFuture<>();
            if (late.contains(insert)) {
                sent.completeExceptionally(new StoreException.Unavailable("too late", null));
                return sent;
            }
            limit.acquire(WRITES, () -> sendAcquired(insert).thenAccept(sent::complete));
            return sent;
        }

        @Override
        public CompletionStage<Optional<Item>> sendAcquired(Insert insert) {
            return hold(List.of(insert), false).thenApply(stored -> Optional.empty());
        }

        @Override
        public CompletionStage<Optional<Item>> sendFromHere(Insert insert) {
            return sendAcquired(insert);
        }

        @Override
        public CompletionStage<Optional<Item>> sendDelayed(Insert insert) {
            CompletableFuture<Optional<Item>> sent = new CompletableFuture<>();
            delayed.add(() -> send(insert).thenAccept(sent::complete));
            return sent;
        }

        @Override
        public CompletionStage<List<Outcome>> sendGroup(List<Insert> inserts) {
            groups.add(inserts.size());
            return hold(inserts, true);
        }

        @Override
        public boolean isBusy() {
            return busy;
        }

        @Override
        public void execute(Runnable task) {
            threads.execute(task);
        }

        @Override
        public void atDeadline(Insert insert, Runnable task) {
            deadlines.put(insert, () -> {
                late.add(insert);
                task.run();
            });
        }

        private CompletableFuture<List<Outcome>> hold(List<Insert> inserts, boolean group) {
            CompletableFuture<List<Outcome>> answer = new CompletableFuture<>();
            held.add(new Sent(List.copyOf(inserts), group, answer));
            return answer;
        }

        /** As {@link RetryingCall} does: the connection is released before the answer is delivered. */
        void answer(int index, List<Outcome> outcomes) {
            CompletableFuture<List<Outcome>> answer = held.remove(index).answer();
            limit.release(WRITES);
            answer.complete(outcomes);
        }

        void answer(int index) {
            answer(
                    index,
                    held.get(index).inserts().stream()
                            .map(insert -> Outcome.STORED)
                            .toList());
        }

        void fail(int index, Throwable failure) {
            CompletableFuture<List<Outcome>> answer = held.remove(index).answer();
            limit.release(WRITES);
            answer.completeExceptionally(failure);
        }

        void runDelayed() {
            while (!delayed.isEmpty()) {
                delayed.remove().run();
            }
        }
    }

    private static Insert insert(String table, int number) {
        return new Insert(table, Item.create().text(KEY, "id" + number).number("seq", 1), List.of(KEY, "seq"), number);
    }

    private static Insert insert(int number) {
        return insert("t", number);
    }

    private static List<CompletionStage<Optional<Item>>> insert(PutBatcher batcher, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(number -> batcher.insert(insert(number)))
                .toList();
    }

    private static StoreException.Refused rejected(String code, String message) {
        return new StoreException.Refused(
                message,
                DynamoDbException.builder()
                        .statusCode(400)
                        .message(message)
                        .awsErrorDetails(AwsErrorDetails.builder()
                                .errorCode(code)
                                .errorMessage(message)
                                .build())
                        .build());
    }

    /** A group of three after the only connection was in use. */
    private static HeldSender sentGroupOfThree(PutBatcher batcher, HeldSender sender) {
        insert(batcher, 0, 4);
        sender.answer(0);
        assertThat(sender.groups).containsExactly(3);
        return sender;
    }

    @Test
    void aPutIsSentAloneAndAtOnceWhileAConnectionIsFree() {
        HeldSender sender = new HeldSender(10);
        insert(new PutBatcher("t", sender, sender.limit), 0, 10);
        assertThat(sender.held).hasSize(10).noneMatch(HeldSender.Sent::group);
    }

    @Test
    void putsThatWaitForAConnectionAreSentTogether() {
        HeldSender sender = new HeldSender(10);
        insert(new PutBatcher("t", sender, sender.limit), 0, 70);
        assertThat(sender.held).hasSize(10);

        sender.answer(0);
        sender.answer(0);
        sender.answer(0);
        assertThat(sender.held).hasSize(10);
        assertThat(sender.groups).containsExactly(25, 25, 10);
    }

    /** A connection is given to those that wait before the thread that sends them has started. */
    @Test
    void aPutDoesNotOvertakeThoseThatWait() {
        Queue<Runnable> executor = new ArrayDeque<>();
        HeldSender sender = new HeldSender(2, executor::add);
        PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
        insert(batcher, 0, 4);
        sender.answer(0);
        sender.answer(0);
        insert(batcher, 4, 6);
        assertThat(sender.held).isEmpty();

        while (!executor.isEmpty()) {
            executor.remove().run();
        }
        assertThat(sender.groups).containsExactly(4);
    }

    /** As many as one request holds, although connections are free: the next thread that is free sends them. */
    @Test
    void putsThatWaitForAThreadAreSentTogether() {
        Queue<Runnable> executor = new ArrayDeque<>();
        HeldSender sender = new HeldSender(10, executor::add);
        PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
        sender.busy = true;
        insert(batcher, 0, 30);
        assertThat(sender.held).isEmpty();

        while (!executor.isEmpty()) {
            executor.remove().run();
        }
        assertThat(sender.groups).containsExactly(25, 5);
        sender.busy = false;
        insert(batcher, 30, 31);
        assertThat(sender.held).hasSize(3);
    }

    /** Any request takes a connection, not only a put. */
    @Test
    void putsWaitWhileOtherRequestsUseTheConnections() {
        HeldSender sender = new HeldSender(2);
        assertThat(sender.limit.tryAcquire(WRITES)).isTrue();
        assertThat(sender.limit.tryAcquire(WRITES)).isTrue();
        insert(new PutBatcher("t", sender, sender.limit), 0, 5);
        assertThat(sender.held).isEmpty();

        sender.limit.release(WRITES);
        assertThat(sender.groups).containsExactly(5);
    }

    @Test
    void otherRequestsThatWaitGetTheirTurn() {
        HeldSender sender = new HeldSender(1);
        PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
        insert(batcher, 0, 26);
        List<String> started = new ArrayList<>();
        sender.limit.acquire(WRITES, () -> started.add("query"));
        insert(batcher, 26, 60);

        sender.answer(0);
        assertThat(sender.groups).containsExactly(25);
        sender.answer(0);
        assertThat(started).containsExactly("query");
    }

    @Test
    void aLargeItemIsSentAlone() {
        HeldSender sender = new HeldSender(1);
        PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
        insert(batcher, 0, 2);
        batcher.insert(new Insert(
                "t",
                Item.create().text(KEY, "large").bytes("b", new byte[PutBatcher.MAX_ITEM_BYTES]),
                List.of(KEY),
                0));
        sender.answer(0);
        sender.answer(0);
        assertThat(sender.held)
                .singleElement()
                .satisfies(sent -> assertThat(sent.inserts().get(0).key()).isEqualTo("pid=large"));
        assertThat(sender.groups).isEmpty();
    }

    @Test
    void aGroupHoldsEachPartitionKeyOnce() {
        HeldSender sender = new HeldSender(1);
        PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
        insert(batcher, 0, 1);
        List<CompletionStage<Optional<Item>>> results =
                List.of(batcher.insert(insert("t", 1)), batcher.insert(insert("t", 1)), batcher.insert(insert("t", 3)));
        sender.answer(0);
        assertThat(sender.held.get(0).inserts())
                .extracting(Insert::key)
                .containsExactly("pid=id1, seq=1", "pid=id3, seq=1");
        while (!sender.held.isEmpty()) {
            sender.answer(0);
        }
        assertThat(results)
                .allSatisfy(result -> assertThat(result.toCompletableFuture()).isCompleted());
    }

    @Test
    void aPutThatAGroupDidNotStoreIsSentAlone() {
        HeldSender sender = new HeldSender(1);
        PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
        List<CompletionStage<Optional<Item>>> results = insert(batcher, 0, 4);
        sender.answer(0);
        Insert second = sender.held.get(0).inserts().get(1);
        sender.answer(0, List.of(Outcome.STORED, Outcome.EXISTS, Outcome.STORED));

        assertThat(results.get(2).toCompletableFuture()).isNotDone();
        assertThat(sender.held)
                .singleElement()
                .satisfies(sent -> assertThat(sent.inserts()).containsExactly(second));
        sender.answer(0);
        assertThat(results)
                .allSatisfy(result -> assertThat(result.toCompletableFuture()).isCompletedWithValue(Optional.empty()));
    }

    @Test
    void anAnswerWithTooFewResultsIsAFailureOfTheGroup() {
        HeldSender sender = new HeldSender(1);
        PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
        List<CompletionStage<Optional<Item>>> results = insert(batcher, 0, 4);
        sender.answer(0);
        sender.answer(0, List.of(Outcome.STORED));
        sender.runDelayed();
        while (!sender.held.isEmpty()) {
            sender.answer(0);
        }
        assertThat(results)
                .allSatisfy(result -> assertThat(result.toCompletableFuture()).isCompletedWithValue(Optional.empty()));
        assertThat(sender.limit.tryAcquire(WRITES))
                .as("the connection is free again")
                .isTrue();
    }

    @Test
    void thePutsOfAFailedGroupAreDelayedAndKeepToTheConnectionLimit() {
        HeldSender sender = new HeldSender(1);
        PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
        sentGroupOfThree(batcher, sender).fail(0, new StoreException.Unavailable("no answer", null));
        assertThat(sender.held).isEmpty();

        sender.runDelayed();
        assertThat(sender.held).hasSize(1);
        insert(batcher, 4, 10);
        sender.answer(0);
        sender.answer(0);
        sender.answer(0);
        assertThat(sender.groups).as("groups go on").containsExactly(3, 6);
    }

    @Test
    void withoutThePermissionForPartiQlThereAreNoGroups() {
        for (Throwable denied : List.of(
                rejected("AccessDeniedException", "not authorized to perform: dynamodb:PartiQLInsert"),
                rejected("UnknownOperationException", "unsupported"))) {
            HeldSender sender = new HeldSender(1);
            PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
            List<CompletionStage<Optional<Item>>> results = insert(batcher, 0, 30);
            sender.answer(0);
            sender.fail(0, denied);
            while (!sender.held.isEmpty()) {
                sender.answer(0);
            }
            assertThat(results)
                    .allSatisfy(
                            result -> assertThat(result.toCompletableFuture()).isCompleted());
            insert(batcher, 30, 40);
            sender.answer(0);
            assertThat(sender.held).hasSize(1);
            assertThat(sender.groups).as("%s", denied.getMessage()).containsExactly(25, 4);
        }
    }

    @Test
    void otherErrorsDoNotTurnGroupsOff() {
        for (Throwable failure : List.of(
                rejected("ExpiredTokenException", "The security token is expired"),
                rejected("ValidationException", "Invalid UTF-8"),
                rejected("AccessDeniedException", "not authorized to perform: kms:Decrypt"),
                new StoreException.Unavailable("no answer", null))) {
            HeldSender sender = new HeldSender(1);
            PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
            sentGroupOfThree(batcher, sender).fail(0, failure);
            insert(batcher, 4, 10);
            sender.answer(0);
            assertThat(sender.groups).as("%s", failure.getMessage()).containsExactly(3, 5);
        }
    }

    @Test
    void aPutWhoseDeadlinePassesWhileItWaitsIsNotSent() {
        HeldSender sender = new HeldSender(1);
        PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
        List<CompletionStage<Optional<Item>>> results = insert(batcher, 0, 3);
        new ArrayList<>(sender.deadlines.values()).get(0).run();
        assertThat(results.get(1).toCompletableFuture()).isCompletedExceptionally();

        sender.answer(0);
        assertThat(sender.held)
                .singleElement()
                .satisfies(sent ->
                        assertThat(sent.inserts()).extracting(Insert::key).containsExactly("pid=id2, seq=1"));
    }

    @Test
    void everyPutThatWaitsIsWatched() {
        HeldSender sender = new HeldSender(1);
        PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
        List<CompletionStage<Optional<Item>>> results = new ArrayList<>(insert(batcher, 0, 3));
        sender.answer(0);
        sender.answer(0);
        results.addAll(insert(batcher, 3, 6));
        // The timer of a put that has been sent long ago, then those that it sets.
        for (int i = 0; i < 3; i++) {
            new ArrayList<>(sender.deadlines.values()).get(i).run();
        }
        assertThat(sender.deadlines.keySet())
                .extracting(Insert::key)
                .containsExactly("pid=id1, seq=1", "pid=id4, seq=1", "pid=id5, seq=1");
        assertThat(results.subList(4, 6))
                .allSatisfy(result -> assertThat(result.toCompletableFuture()).isCompletedExceptionally());
        assertThat(results.get(3).toCompletableFuture()).as("sent").isNotDone();
    }

    /** Whatever the order of answers: each put is answered, no group is invalid, and all connections are free in the end. */
    @Test
    void everyPutIsAnswered() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            int connections = 1 + random.nextInt(30);
            HeldSender sender = new HeldSender(connections);
            PutBatcher batcher = new PutBatcher("t", sender, sender.limit);
            List<CompletionStage<Optional<Item>>> results = new ArrayList<>();
            for (int step = 0; step < 500; step++) {
                if (random.nextInt(3) > 0) {
                    results.add(batcher.insert(insert(random.nextInt(40))));
                } else if (!sender.held.isEmpty()) {
                    settle(sender, random);
                } else {
                    sender.runDelayed();
                }
                assertThat(sender.held).hasSizeLessThanOrEqualTo(connections);
            }
            while (!sender.held.isEmpty() || !sender.delayed.isEmpty()) {
                sender.runDelayed();
                settle(sender, random);
            }
            assertThat(results)
                    .as("seed %d", seed)
                    .allMatch(result -> result.toCompletableFuture().isDone());
            for (int i = 0; i < connections; i++) {
                assertThat(sender.limit.tryAcquire(WRITES)).as("seed %d", seed).isTrue();
            }
        }
    }

    private static void settle(HeldSender sender, Random random) {
        int index = random.nextInt(sender.held.size());
        HeldSender.Sent sent = sender.held.get(index);
        assertThat(sent.inserts()).hasSizeLessThanOrEqualTo(PutBatcher.MAX_GROUP_SIZE);
        assertThat(new HashSet<>(
                        sent.inserts().stream().map(Insert::partitionKey).toList()))
                .hasSameSizeAs(sent.inserts());
        if (sent.group() && random.nextInt(5) == 0) {
            sender.fail(index, new StoreException.Unavailable("lost", null));
        } else if (sent.group() && random.nextInt(5) == 0) {
            sender.answer(index, List.of(Outcome.STORED));
        } else {
            Outcome[] outcomes = {Outcome.STORED, Outcome.EXISTS, Outcome.FAILED};
            sender.answer(
                    index,
                    sent.inserts().stream()
                            .map(insert -> sent.group() ? outcomes[random.nextInt(3)] : Outcome.STORED)
                            .toList());
        }
    }
}
