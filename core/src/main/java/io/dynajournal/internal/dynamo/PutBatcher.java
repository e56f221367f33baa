package io.dynajournal.internal.dynamo;

import io.dynajournal.internal.store.Stages;
import io.dynajournal.listener.Lane;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit of one table, by one rule: a put that would have to wait is sent together with the others that wait. What it waits for
 * is a connection, or a thread of the client while all of them are busy.
 * A group answers "stored" or "not stored" for each put; a put that was not stored is sent again by
 * itself, which distinguishes an earlier attempt of its own from another writer's item. Thread-safe.
 */
final class PutBatcher implements Inserts {

    /** DynamoDB's limit of statements in a request. */
    static final int MAX_GROUP_SIZE = 25;

    /** Larger items are sent alone: they gain little by a group and delay it. */
    static final int MAX_ITEM_BYTES = 16 * 1024;

    private static final Logger log = LoggerFactory.getLogger(PutBatcher.class);

    /** What became of a put in a group. */
    enum Outcome {
        STORED,
        /** There is an item already: an earlier attempt's or another writer's. */
        EXISTS,
        /** PartiQL inserts are not allowed here. */
        DENIED,
        FAILED
    }

    /** Sends puts. Every method takes the connection limit into account. */
    interface Sender {

        /** Sends a put as soon as a connection is free. */
        CompletionStage<Optional<Item>> send(Insert insert);

        /** Sends a put over a connection that is acquired already, and releases it. */
        CompletionStage<Optional<Item>> sendAcquired(Insert insert);

        /** As {@link #sendAcquired}, on a thread that is not the client's but counts as one of them meanwhile. */
        CompletionStage<Optional<Item>> sendFromHere(Insert insert);

        /** Sends a put after a random delay, as soon as a connection is free. */
        CompletionStage<Optional<Item>> sendDelayed(Insert insert);

        /** Sends several puts once over a connection that is acquired already, and releases it. */
        CompletionStage<List<Outcome>> sendGroup(List<Insert> group);

        /** Whether all threads of the client are busy. */
        boolean isBusy();

        /** Runs a task on a thread of the client. */
        void execute(Runnable task);

        /** Runs a task at the put's deadline. */
        void atDeadline(Insert insert, Runnable task);
    }

    /** A put that waits. */
    private static final class Waiting {
        private final Insert insert;
        private final CompletableFuture<Optional<Item>> result = new CompletableFuture<>();

        Waiting(Insert insert) {
            this.insert = insert;
        }
    }

    private final Sender sender;
    private final FlowControl flow;
    private final RequestKind kind;

    // Guarded by waiting.
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private int requestedConnections;
    private boolean timerIsSet;
    private int maxGroupSize = MAX_GROUP_SIZE;

    /** @param table the table of all puts */
    PutBatcher(String table, Sender sender, FlowControl flow) {
        this.kind = new RequestKind(Lane.WRITE, table, true);
        this.sender = sender;
        this.flow = flow;
    }

    @Override
    public CompletionStage<Optional<Item>> insert(Insert insert) {
        if (insert.item().size() > MAX_ITEM_BYTES) {
            return sender.send(insert);
        }
        // No put overtakes those that wait: a free connection may be theirs, whose turn has not come yet.
        if (!sender.isBusy() && !someWait() && flow.tryAcquire(kind)) {
            return sender.sendFromHere(insert);
        }
        Waiting put = new Waiting(insert);
        synchronized (waiting) {
            waiting.add(put);
        }
        requestConnections();
        setTimer();
        return put.result;
    }

    private boolean someWait() {
        synchronized (waiting) {
            return !waiting.isEmpty();
        }
    }

    /** One timer for all that wait, because nearly every put is sent long before its deadline. The oldest put has the earliest. */
    private void setTimer() {
        Waiting oldest;
        synchronized (waiting) {
            if (timerIsSet || waiting.isEmpty()) {
                return;
            }
            timerIsSet = true;
            oldest = waiting.iterator().next();
        }
        // A closed client runs the task at once.
        sender.atDeadline(oldest.insert, () -> {
            synchronized (waiting) {
                timerIsSet = false;
            }
            giveUp(oldest);
            setTimer();
        });
    }

    private void giveUp(Waiting put) {
        boolean waits;
        synchronized (waiting) {
            waits = waiting.remove(put);
        }
        if (waits) {
            // Too late to be sent, so this only fails as any request does that got no connection.
            complete(put, sender.send(put.insert));
        }
    }

    /** Requests as many connections as the waiting puts fill. */
    private void requestConnections() {
        int missing;
        synchronized (waiting) {
            missing = (waiting.size() + maxGroupSize - 1) / maxGroupSize - requestedConnections;
            requestedConnections += Math.max(0, missing);
        }
        for (int i = 0; i < missing; i++) {
            if (flow.tryAcquire(kind)) {
                sender.execute(this::sendWaiting);
            } else {
                flow.acquire(kind, this::sendWaiting);
            }
        }
    }

    private void sendWaiting() {
        List<Waiting> group;
        synchronized (waiting) {
            requestedConnections--;
            group = takeGroup();
        }
        if (group.isEmpty()) {
            flow.release(kind);
        } else if (group.size() == 1) {
            Waiting only = group.get(0);
            complete(only, sender.sendAcquired(only.insert));
        } else {
            sendGroup(group);
        }
        // Two puts of one item are not sent in one group, so that one of them may still wait.
        requestConnections();
    }

    /** The longest waiting puts, each partition key once: two puts of one item would fail the whole group. */
    private List<Waiting> takeGroup() {
        List<Waiting> group = new ArrayList<>(Math.min(maxGroupSize, waiting.size()));
        Set<String> keys = new HashSet<>();
        Iterator<Waiting> puts = waiting.iterator();
        while (puts.hasNext() && group.size() < maxGroupSize) {
            Waiting put = puts.next();
            if (keys.add(put.insert.partitionKey())) {
                group.add(put);
                puts.remove();
            }
        }
        return group;
    }

    private void sendGroup(List<Waiting> group) {
        sender.sendGroup(group.stream().map(put -> put.insert).toList()).whenComplete((outcomes, failure) -> {
            boolean complete = failure == null && outcomes.size() == group.size();
            Outcome ofAll = failure == null ? Outcome.FAILED : outcome(failure);
            for (int i = 0; i < group.size(); i++) {
                finish(group.get(i), complete ? outcomes.get(i) : ofAll);
            }
        });
    }

    private static Outcome outcome(Throwable failure) {
        Throwable cause = Stages.unwrap(failure).getCause();
        return cause != null && Failures.isPartiQlDenied(cause) ? Outcome.DENIED : Outcome.FAILED;
    }

    private void finish(Waiting put, Outcome outcome) {
        switch (outcome) {
            case STORED -> put.result.complete(Optional.empty());
            case EXISTS -> complete(put, sender.send(put.insert));
            case FAILED -> complete(put, sender.sendDelayed(put.insert));
            case DENIED -> {
                stopGroups();
                complete(put, sender.send(put.insert));
            }
        }
    }

    private void stopGroups() {
        synchronized (waiting) {
            if (maxGroupSize == 1) {
                return;
            }
            maxGroupSize = 1;
        }
        log.warn(
                "Group commit for table {} is off until the next start, because PartiQL inserts into it are not"
                        + " allowed. Allow dynamodb:PartiQLInsert, or set group-commit = off.",
                kind.table());
        requestConnections();
    }

    private static void complete(Waiting put, CompletionStage<Optional<Item>> sent) {
        sent.whenComplete((existing, failure) -> {
            if (failure == null) {
                put.result.complete(existing);
            } else {
                put.result.completeExceptionally(Stages.unwrap(failure));
            }
        });
    }
}
