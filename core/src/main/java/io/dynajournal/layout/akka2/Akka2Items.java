package io.dynajournal.layout.akka2;

import io.dynajournal.dynamo.Item;
import io.dynajournal.model.Event;
import io.dynajournal.model.Payload;
import io.dynajournal.model.SliceRange;
import io.dynajournal.model.Slices;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Events as items of akka-persistence-dynamodb 2.x. Not stored, as there: the manifest of a classic event adapter.
 *
 * <p>Five attributes are ours; its readers ask for attributes by name and pass over others. All events of an atomic write
 * of several have {@code dj_last}, the number of the write's last event: so a reader with an upper bound knows which write
 * it would cut. A write that is too large for one transaction has in addition {@code dj_first}, the number of its first
 * event, and {@code dj_write}, its name; and its first event has {@code dj_open} until all others are stored.
 * The tombstone that stands for rejected events has {@code dj_skip}, the last of their numbers, if they are several.
 */
final class Akka2Items {

    static final String PID = "pid";
    static final String SEQ_NR = "seq_nr";
    static final String ENTITY_TYPE_SLICE = "entity_type_slice";
    static final String TS = "ts";
    static final String WRITER = "writer";
    static final String EVENT_SER_ID = "event_ser_id";
    static final String EVENT_SER_MANIFEST = "event_ser_manifest";
    static final String EVENT_PAYLOAD = "event_payload";
    static final String TAGS = "tags";
    static final String META_SER_ID = "meta_ser_id";
    static final String META_SER_MANIFEST = "meta_ser_manifest";
    static final String META_PAYLOAD = "meta_payload";
    static final String BREADCRUMB_SER_ID = "breadcrumb_ser_id";
    static final String BREADCRUMB_SER_MANIFEST = "breadcrumb_ser_manifest";
    static final String BREADCRUMB_PAYLOAD = "breadcrumb_payload";

    /** In seconds; DynamoDB removes the item some time later. */
    static final String EXPIRY = "expiry";

    /** In seconds; the event counts as deleted from then on, but the item stays and keeps the number. */
    static final String EXPIRY_MARKER = "expiry_marker";

    static final String DEL = "del";

    static final String LAST = "dj_last";
    static final String FIRST = "dj_first";
    static final String WRITE = "dj_write";
    static final String OPEN = "dj_open";
    static final String SKIP = "dj_skip";

    /** All there are; the predecessor's index holds whole items, and no more than 20 may be listed. */
    static final List<String> INDEXED = List.of(
            WRITER,
            EVENT_SER_ID,
            EVENT_SER_MANIFEST,
            EVENT_PAYLOAD,
            TAGS,
            META_SER_ID,
            META_SER_MANIFEST,
            META_PAYLOAD,
            BREADCRUMB_SER_ID,
            BREADCRUMB_SER_MANIFEST,
            BREADCRUMB_PAYLOAD,
            EXPIRY,
            EXPIRY_MARKER,
            DEL,
            LAST,
            FIRST,
            WRITE,
            OPEN);

    /** What a tombstone loses; the writer stays, so that a second writer can be told who was first. */
    static final List<String> GONE_WITH_THE_EVENT = List.of(
            EVENT_PAYLOAD,
            EVENT_SER_ID,
            EVENT_SER_MANIFEST,
            META_PAYLOAD,
            META_SER_ID,
            META_SER_MANIFEST,
            // A tombstone that expires takes the highest number with it.
            EXPIRY,
            EXPIRY_MARKER);

    private Akka2Items() {}

    static String entityTypeSlice(String persistenceId) {
        return entityTypeSlice(Slices.entityType(persistenceId), Slices.of(persistenceId));
    }

    static String entityTypeSlice(String entityType, int slice) {
        return entityType + "-" + slice;
    }

    /** Of both indexes: one for every slice, whatever is in it. */
    static List<SlicePartition> partitions(String entityType, SliceRange slices) {
        return IntStream.rangeClosed(slices.min(), slices.max())
                .mapToObj(slice -> new SlicePartition(
                        entityTypeSlice(entityType, slice), entityType, new SliceRange(slice, slice)))
                .toList();
    }

    static Item event(StoredEvent stored, @Nullable Duration life) {
        Event event = stored.event();
        Item item = keys(stored.persistenceId(), stored.seqNr(), stored.timestampMicros(), stored.writer())
                .number(EVENT_SER_ID, event.payload().serializerId())
                .text(EVENT_SER_MANIFEST, event.payload().manifest())
                .bytes(EVENT_PAYLOAD, event.payload().bytes());
        if (!event.tags().isEmpty()) {
            item.texts(TAGS, event.tags());
        }
        metadata(item, event.metadata());
        if (life != null) {
            item.number(EXPIRY, stored.timestampMicros() / 1_000_000 + life.toSeconds());
        }
        return item;
    }

    /** A number without an event: one that was rejected, for instance. */
    static Item tombstone(String persistenceId, long seqNr, long timestampMicros, String writer) {
        return keys(persistenceId, seqNr, timestampMicros, writer).flag(DEL, true);
    }

    /** Stands for the numbers of rejected events, at the first of them. */
    static Item rejected(String persistenceId, long first, long last, long timestampMicros, String writer) {
        Item tombstone = tombstone(persistenceId, first, timestampMicros, writer);
        return last == first ? tombstone : tombstone.number(SKIP, last);
    }

    private static Item keys(String persistenceId, long seqNr, long timestampMicros, String writer) {
        return Item.create()
                .text(PID, persistenceId)
                .number(SEQ_NR, seqNr)
                .text(ENTITY_TYPE_SLICE, entityTypeSlice(persistenceId))
                .number(TS, timestampMicros)
                .text(WRITER, writer);
    }

    static void metadata(Item item, @Nullable Payload metadata) {
        if (metadata != null) {
            item.number(META_SER_ID, metadata.serializerId())
                    .text(META_SER_MANIFEST, metadata.manifest())
                    .bytes(META_PAYLOAD, metadata.bytes());
        }
    }

    static @Nullable Payload metadata(Item item) {
        return item.has(META_PAYLOAD) ? payload(item, META_SER_ID, META_SER_MANIFEST, META_PAYLOAD) : null;
    }

    static Payload payload(Item item, String serializerId, String manifest, String bytes) {
        return new Payload(
                Math.toIntExact(item.number(serializerId)),
                Objects.requireNonNullElse(item.textOr(manifest, ""), ""),
                item.bytes(bytes));
    }

    /** What a reader makes of an item. */
    enum Sight {
        EVENT,
        /** No event, but its number was used. */
        NUMBER,
        /** As if it were not there. */
        NOTHING
    }

    static Row row(Item item) {
        return new Row(
                item,
                item.number(SEQ_NR),
                item.numberOr(TS, 0),
                Objects.requireNonNullElse(item.textOr(WRITER, ""), ""),
                item.textOr(WRITE, null));
    }

    /**
     * An item of the journal, which may be a stub: its deletes made items with nothing but a key and a mark.
     *
     * @param write the name of a write too large for one transaction; null for all others
     */
    record Row(
            Item item,
            long seqNr,
            long ts,
            String writer,
            @Nullable String write) {

        Sight sight(long nowSeconds, boolean checkExpiry) {
            if (isDeleted()) {
                return Sight.NUMBER;
            }
            if (checkExpiry && expiry() <= nowSeconds) {
                return Sight.NOTHING;
            }
            if (checkExpiry && expiryMarker() <= nowSeconds) {
                return Sight.NUMBER;
            }
            return hasEvent() ? Sight.EVENT : Sight.NUMBER;
        }

        boolean isDeleted() {
            return item.isTrue(DEL);
        }

        long expiry() {
            return item.numberOr(EXPIRY, Long.MAX_VALUE);
        }

        long expiryMarker() {
            return item.numberOr(EXPIRY_MARKER, Long.MAX_VALUE);
        }

        boolean hasEvent() {
            return item.has(EVENT_PAYLOAD) || item.has(BREADCRUMB_PAYLOAD);
        }

        /** Whether a delete of any kind has been here or is about to. */
        boolean isMarked() {
            return isDeleted() || item.has(EXPIRY) || item.has(EXPIRY_MARKER);
        }

        /** The last number that this item accounts for. */
        long covered() {
            return item.numberOr(SKIP, seqNr);
        }

        long first() {
            return item.numberOr(FIRST, seqNr);
        }

        /** The last number of the atomic write, as far as it is known: the predecessor does not store it. */
        long last() {
            return item.numberOr(LAST, seqNr);
        }

        boolean isOpen() {
            return item.isTrue(OPEN);
        }

        /** Roughly, for caches. */
        long heldBytes() {
            return 300L
                    + (item.has(EVENT_PAYLOAD) ? item.bytes(EVENT_PAYLOAD).length : 0)
                    + (item.has(META_PAYLOAD) ? item.bytes(META_PAYLOAD).length : 0);
        }

        /** Whether the item there is this one, stored by an earlier attempt of the same writer. */
        boolean isSameAs(Row other) {
            return writer.equals(other.writer)
                    && Objects.equals(write, other.write)
                    && last() == other.last()
                    && isDeleted() == other.isDeleted()
                    && Arrays.equals(eventBytes(), other.eventBytes());
        }

        private byte[] eventBytes() {
            return item.has(EVENT_PAYLOAD) ? item.bytes(EVENT_PAYLOAD) : new byte[0];
        }

        /** @param fallbackStore its configured name, empty if there is none */
        StoredEvent event(String fallbackStore) {
            String persistenceId = item.text(PID);
            if (!item.has(EVENT_PAYLOAD)) {
                throw missingStore(item, "Event " + seqNr + " of " + persistenceId, "journal", fallbackStore);
            }
            return new StoredEvent(
                    persistenceId,
                    seqNr,
                    ts,
                    writer,
                    new Event(
                            payload(item, EVENT_SER_ID, EVENT_SER_MANIFEST, EVENT_PAYLOAD),
                            "",
                            item.texts(TAGS),
                            metadata(item)));
        }
    }

    /** The breadcrumb of the predecessor's only store is the name of an S3 bucket. */
    static StoreException.Refused missingStore(Item item, String what, String plugin, String configured) {
        String bucket = new String(item.bytes(BREADCRUMB_PAYLOAD), StandardCharsets.UTF_8);
        boolean isName = bucket.length() <= 63 && bucket.chars().allMatch(Akka2Items::isBucketCharacter);
        return new StoreException.Refused(
                what + " is not in the table but in the fallback store "
                        + (isName
                                ? "\"" + bucket + "\""
                                : "with a breadcrumb of serializer " + item.numberOr(BREADCRUMB_SER_ID, 0))
                        + " (" + plugin + ".fallback-store.plugin = \"" + configured
                        + "\"), which is not available here. Let the plugin that wrote it move it back first.",
                null);
    }

    private static boolean isBucketCharacter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || ".-_".indexOf(c) >= 0;
    }
}
