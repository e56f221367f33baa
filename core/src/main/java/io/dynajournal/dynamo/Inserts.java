package io.dynajournal.dynamo;

import io.dynajournal.store.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Puts of items that must not be there yet. While the processors and the server have time, each goes by itself, at once. While
 * the processors have none, each is left to the threads that send, and those that wait there go together; while the server has
 * none, few requests are on the way, and those that wait for their return go together; so do those that wait for a connection.
 * A group only ever answers "stored": whatever else becomes of an insert in it, the insert goes again by itself, and that tells
 * a repetition of our own, another's item and a passing failure apart. Thread-safe.
 */
final class Inserts {

    /** DynamoDB takes so many statements in a request. */
    static final int LARGEST_GROUP = 25;

    /** A larger item saves little by company and delays it. */
    static final int LARGEST_ITEM = 16 * 1024;

    /** A group of fewer saves nothing. */
    private static final int CROWD = 4;

    /** So many requests keep a congested server busy: while it answers one, others are there. */
    private static final int FEW = 4;

    private static final int STATEMENT_LENGTH = 200;

    private static final Logger log = LoggerFactory.getLogger(Inserts.class);

    /** How inserts are sent. */
    interface Wire {

        /** Empty if it was stored; otherwise what stands there. */
        CompletionStage<Optional<Item>> alone(Insert insert);

        /**
         * Whether each was stored, in order.
         *
         * @return fails with {@link StoreException.Refused} if groups cannot be sent here at all
         */
        CompletionStage<List<Boolean>> together(List<Insert> inserts);
    }

    /**
     * An item to put.
     *
     * @param key the value of its partition key
     * @param keyName the name of that
     * @param deadline by {@link System#nanoTime}
     */
    record Insert(
            String table,
            Item item,
            String keyName,
            String key,
            long deadline,
            CompletableFuture<Optional<Item>> result) {

        Insert(String table, Item item, String keyName, long deadline) {
            this(table, item, keyName, item.text(keyName), deadline, new CompletableFuture<>());
        }
    }

    private final Wire wire;
    private final Executor sending;
    private final int atOnce;
    private final BooleanSupplier isBusy;
    private final Executor afterCongestion;
    private final LongSupplier nanoTime;
    private final Queue<Insert> waiting = new ArrayDeque<>();
    private final Congestion congestion;
    private int requests;
    private int onTheWay;
    private boolean scheduled;
    private volatile boolean groups;

    /**
     * Makes an empty queue.
     *
     * @param sending where requests are made
     * @param atOnce so many requests are on the way, and what is more waits for company; 0 for no groups
     * @param isBusy whether the processors are
     * @param afterCongestion runs tasks after {@link Congestion#LASTS}
     */
    Inserts(
            Wire wire,
            Executor sending,
            int atOnce,
            BooleanSupplier isBusy,
            Executor afterCongestion,
            LongSupplier nanoTime) {
        this.wire = wire;
        this.sending = sending;
        this.isBusy = isBusy;
        this.afterCongestion = afterCongestion;
        this.nanoTime = nanoTime;
        this.atOnce = atOnce;
        this.groups = atOnce > 0;
        this.congestion = new Congestion(nanoTime.getAsLong());
    }

    CompletionStage<Optional<Item>> insert(Insert insert) {
        if (!groups || insert.item().size() > LARGEST_ITEM) {
            return wire.alone(insert);
        }
        synchronized (waiting) {
            waiting.add(insert);
        }
        if (!isBusy.getAsBoolean()) {
            sendWaiting();
        } else if (isFirstToSchedule()) {
            // Whoever else comes until then goes along.
            sending.execute(this::sendScheduled);
        }
        return insert.result();
    }

    private boolean isFirstToSchedule() {
        synchronized (waiting) {
            boolean first = !scheduled;
            scheduled = true;
            return first;
        }
    }

    private void sendScheduled() {
        synchronized (waiting) {
            scheduled = false;
        }
        sendWaiting();
    }

    private void back(int inserts) {
        synchronized (waiting) {
            requests--;
            onTheWay -= inserts;
        }
        sendWaiting();
    }

    private void sendWaiting() {
        for (List<List<Insert>> due = due(); !due.isEmpty(); due = due()) {
            due.forEach(this::send);
        }
    }

    /** What goes in each of the next requests, which are on the way from now on; empty if none may be sent. */
    private List<List<Insert>> due() {
        synchronized (waiting) {
            List<List<Insert>> due = new ArrayList<>();
            boolean congested = groups && congestion.lasts(nanoTime.getAsLong());
            int most = congested ? share() : largest();
            while (!waiting.isEmpty() && requests < atOnce && (!congested || isEnough(most))) {
                boolean full = groups && (requests + 1 == atOnce || (congested && requests >= FEW));
                List<Insert> next = take(full ? LARGEST_GROUP : most);
                requests++;
                onTheWay += next.size();
                due.add(next);
            }
            return due;
        }
    }

    /** Of all that is on the way or waits, what each of a few requests would carry. */
    private int share() {
        return Math.min(LARGEST_GROUP, (onTheWay + waiting.size() + FEW - 1) / FEW);
    }

    /**
     * Whether so many wait that they go, while the server is congested. Few requests are on the way then, and each carries about
     * as much as the others: where one carried most, the server would have nothing to do while its entities think. A full group
     * waits for nobody.
     */
    private boolean isEnough(int share) {
        int crowd = waiting.size();
        return requests == 0 || (requests < FEW && 2 * crowd >= share) || crowd >= LARGEST_GROUP;
    }

    /**
     * How many go together. More than one only while the processors are busy: a group saves their time. Else it only comes back
     * later, and its entities would then write at the same time, and be a group for ever.
     */
    private int largest() {
        int crowd = waiting.size();
        if (!groups || crowd < CROWD || !isBusy.getAsBoolean()) {
            return 1;
        }
        int groups = (crowd + LARGEST_GROUP - 1) / LARGEST_GROUP;
        return (crowd + groups - 1) / groups;
    }

    /** The first that wait, each key once: two inserts of one item would fail a group as a whole. */
    private List<Insert> take(int most) {
        if (most == 1) {
            return List.of(waiting.remove());
        }
        List<Insert> group = new ArrayList<>(most);
        Set<String> keys = new HashSet<>();
        Iterator<Insert> inserts = waiting.iterator();
        while (inserts.hasNext() && group.size() < most) {
            Insert insert = inserts.next();
            if (keys.add(insert.key())) {
                group.add(insert);
                inserts.remove();
            }
        }
        return group;
    }

    private void send(List<Insert> group) {
        if (group.size() == 1) {
            sendAlone(group.get(0));
            return;
        }
        wire.together(group).whenComplete((stored, failure) -> {
            if (failure != null && Failures.unwrap(failure) instanceof StoreException.Refused refused && groups) {
                groups = false;
                log.warn(
                        "Writes are not grouped under load from now on, because DynamoDB refuses PartiQL inserts. Allow"
                                + " dynamodb:PartiQLInsert, or set group-commit = off. {}",
                        refused.getMessage());
            }
            // The answers first: they bring the next inserts, which then find company here.
            for (int i = 0; i < group.size(); i++) {
                Insert insert = group.get(i);
                if (failure == null && stored.get(i)) {
                    insert.result().complete(Optional.empty());
                } else {
                    finish(insert, wire.alone(insert));
                }
            }
            back(group.size());
        });
    }

    private void sendAlone(Insert insert) {
        long begin = nanoTime.getAsLong();
        CompletionStage<Optional<Item>> sent = wire.alone(insert).whenComplete((answer, failure) -> {
            // One that failed here, without credentials say, would be the quickest of all.
            if (failure == null) {
                answered(begin);
            }
        });
        finish(insert, sent).whenComplete((answer, failure) -> back(1));
    }

    private void answered(long begin) {
        boolean congested;
        synchronized (waiting) {
            long now = nanoTime.getAsLong();
            congested = congestion.answered(now - begin, requests, now);
        }
        if (congested) {
            // What waits then does not go on waiting for requests that may never return.
            afterCongestion.execute(this::sendWaiting);
        }
    }

    private static CompletionStage<Optional<Item>> finish(Insert insert, CompletionStage<Optional<Item>> sent) {
        return sent.whenComplete((answer, failure) -> {
            if (failure == null) {
                insert.result().complete(answer);
            } else {
                insert.result().completeExceptionally(Failures.unwrap(failure));
            }
        });
    }

    /** The statement and its values, which have the order of the item's attributes. */
    static String statement(Insert insert) {
        StringBuilder text = new StringBuilder(STATEMENT_LENGTH)
                .append("INSERT INTO \"")
                .append(insert.table())
                .append("\" VALUE {");
        String separator = "'";
        for (Map.Entry<String, AttributeValue> attribute :
                insert.item().attributes().entrySet()) {
            text.append(separator).append(attribute.getKey()).append("':?");
            separator = ",'";
        }
        return text.append('}').toString();
    }
}
