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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Puts of items that must not be there yet. Each is handed to the threads that send. Where these keep up it goes by itself,
 * at once. Where they fall back by a whole group, or the last connection is taken, those that wait go together. A group only ever
 * answers "stored": whatever else becomes of an insert in it, the insert goes again by itself, and that tells a repetition
 * of our own, another's item and a passing failure apart. Thread-safe.
 */
final class Inserts {

    /** DynamoDB takes so many statements in a request. */
    static final int LARGEST_GROUP = 25;

    /** A larger item saves little by company and delays it. */
    static final int LARGEST_ITEM = 16 * 1024;

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
     * @param key names of the attributes that are the table's key
     * @param deadline by {@link System#nanoTime}
     */
    record Insert(String table, Item item, List<String> key, long deadline, CompletableFuture<Optional<Item>> result) {

        Insert(String table, Item item, List<String> key, long deadline) {
            this(table, item, key, deadline, new CompletableFuture<>());
        }

        /** Two inserts of one place in one group would fail it as a whole. */
        Place place() {
            return new Place(
                    table, key.stream().map(name -> item.attributes().get(name)).toList());
        }
    }

    record Place(String table, List<AttributeValue> key) {}

    private final Wire wire;
    private final Executor sending;
    private final int atOnce;
    private final Queue<Insert> waiting = new ArrayDeque<>();
    private int onTheWay;
    private boolean scheduled;
    private volatile boolean groups;

    /**
     * Makes an empty queue.
     *
     * @param sending where requests are made
     * @param atOnce so many requests are on the way, and what is more waits for company; 0 for no groups
     */
    Inserts(Wire wire, Executor sending, int atOnce) {
        this.wire = wire;
        this.sending = sending;
        this.atOnce = atOnce;
        this.groups = atOnce > 0;
    }

    CompletionStage<Optional<Item>> insert(Insert insert) {
        if (!groups || insert.item().size() > LARGEST_ITEM) {
            return wire.alone(insert);
        }
        synchronized (waiting) {
            waiting.add(insert);
            if (scheduled) {
                return insert.result();
            }
            scheduled = true;
        }
        sending.execute(this::sendScheduled);
        return insert.result();
    }

    private void sendScheduled() {
        synchronized (waiting) {
            scheduled = false;
        }
        sendWaiting();
    }

    private void back() {
        synchronized (waiting) {
            onTheWay--;
        }
        sendWaiting();
    }

    /** Nothing is left waiting while a connection is free. */
    private void sendWaiting() {
        for (List<Insert> next = next(); !next.isEmpty(); next = next()) {
            send(next);
        }
    }

    /** What goes in the next request, which is on the way from now on; empty if none may be sent. */
    private List<Insert> next() {
        synchronized (waiting) {
            if (waiting.isEmpty() || onTheWay >= atOnce) {
                return List.of();
            }
            onTheWay++;
            // Where the server is the slow one, a few that happen to wait get nothing from going together: they would
            // come
            // back together, and be a group for ever.
            boolean isQueue = onTheWay == atOnce || waiting.size() >= LARGEST_GROUP;
            return take(isQueue ? LARGEST_GROUP : 1);
        }
    }

    /** The first that wait, each place once. */
    private List<Insert> take(int most) {
        List<Insert> group = new ArrayList<>();
        Set<Place> places = new HashSet<>();
        Iterator<Insert> inserts = waiting.iterator();
        while (inserts.hasNext() && group.size() < most) {
            Insert insert = inserts.next();
            if (places.add(insert.place())) {
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
                if (failure == null && stored.get(i)) {
                    group.get(i).result().complete(Optional.empty());
                } else {
                    finish(group.get(i), wire.alone(group.get(i)));
                }
            }
            back();
        });
    }

    private void sendAlone(Insert insert) {
        finish(insert, wire.alone(insert)).whenComplete((answer, failure) -> back());
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
        StringBuilder text =
                new StringBuilder("INSERT INTO \"").append(insert.table()).append("\" VALUE {");
        String separator = "'";
        for (Map.Entry<String, AttributeValue> attribute :
                insert.item().attributes().entrySet()) {
            text.append(separator).append(attribute.getKey()).append("':?");
            separator = ",'";
        }
        return text.append('}').toString();
    }
}
