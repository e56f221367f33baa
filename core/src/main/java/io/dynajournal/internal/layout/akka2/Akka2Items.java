package io.dynajournal.internal.layout.akka2;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.SerializerId;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.SlicePartition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Converts events to items of akka-persistence-dynamodb 2.x and back. The manifest of a classic event adapter is not stored,
 * as in the predecessor. Sends no requests.
 *
 * <p>Five attributes are ours; the predecessor reads attributes by name and ignores others. Each event of an atomic write of
 * several has {@code dj_last}, the sequence number of the write's last event: a reader with an upper bound knows by it which
 * write the bound would cut. Each event of a write that is too large for one transaction also has {@code dj_first}, the
 * sequence number of its first event, and {@code dj_write}, its name; the first event has {@code dj_open} until all others
 * are stored. The tombstone of several rejected events has {@code dj_skip}, the last of their sequence numbers.
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

    /** In epoch seconds; DynamoDB removes the item some time after. */
    static final String EXPIRY = "expiry";

    /** In epoch seconds; the event counts as deleted from then on, the item stays and keeps the sequence number. */
    static final String EXPIRY_MARKER = "expiry_marker";

    static final String DEL = "del";

    static final String LAST = "dj_last";
    static final String FIRST = "dj_first";
    static final String WRITE = "dj_write";
    static final String OPEN = "dj_open";
    static final String SKIP = "dj_skip";

    /** The attributes that a tombstone does not have. The writer stays, so that a conflict can name it. */
    static final List<String> REMOVED_BY_TOMBSTONE = List.of(
            EVENT_PAYLOAD,
            EVENT_SER_ID,
            EVENT_SER_MANIFEST,
            META_PAYLOAD,
            META_SER_ID,
            META_SER_MANIFEST,
            // A tombstone must not expire, or the highest sequence number is lost.
            EXPIRY,
            EXPIRY_MARKER);

    private Akka2Items() {}

    static String entityTypeSlice(String persistenceId) {
        return entityTypeSlice(Slices.entityType(persistenceId), Slices.of(persistenceId));
    }

    static String entityTypeSlice(String entityType, int slice) {
        return entityType + "-" + slice;
    }

    /** The partitions of both indexes: one for each slice. */
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

    /** A sequence number without an event. */
    static Item tombstone(String persistenceId, long seqNr, long timestampMicros, String writer) {
        return keys(persistenceId, seqNr, timestampMicros, writer).flag(DEL, true);
    }

    /** The tombstone of rejected events, at the first of their sequence numbers. */
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
                SerializerId.of(item, serializerId),
                Objects.requireNonNullElse(item.textOr(manifest, ""), ""),
                item.bytes(bytes));
    }

    /** How a reader treats an item. */
    enum Visibility {
        /** It returns the event. */
        EVENT,
        /** It returns no event, and counts the sequence number as used. */
        SEQ_NR_ONLY,
        /** It ignores the item. */
        NONE
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
     * An item of the journal. Deletes of the predecessor also created items with a key and a delete marker only.
     *
     * @param write the name of a write that is too large for one transaction; null for all others
     */
    record Row(
            Item item,
            long seqNr,
            long ts,
            String writer,
            @Nullable String write) {

        Visibility visibility(long nowSeconds, boolean checkExpiry) {
            if (isDeleted()) {
                return Visibility.SEQ_NR_ONLY;
            }
            if (checkExpiry && expiry() <= nowSeconds) {
                return Visibility.NONE;
            }
            if (checkExpiry && expiryMarker() <= nowSeconds) {
                return Visibility.SEQ_NR_ONLY;
            }
            return hasEvent() ? Visibility.EVENT : Visibility.SEQ_NR_ONLY;
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

        /** Whether the item is deleted, or expires. */
        boolean isDeletedOrExpiring() {
            return isDeleted() || item.has(EXPIRY) || item.has(EXPIRY_MARKER);
        }

        /** The last sequence number that this item accounts for. */
        long covered() {
            return item.numberOr(SKIP, seqNr);
        }

        long first() {
            return item.numberOr(FIRST, seqNr);
        }

        /** The last sequence number of the atomic write; the item's own where the predecessor wrote it. */
        long last() {
            return item.numberOr(LAST, seqNr);
        }

        boolean isOpen() {
            return item.isTrue(OPEN);
        }

        /** An estimate, for caches. */
        long heldBytes() {
            return 300L
                    + (item.has(EVENT_PAYLOAD) ? item.bytes(EVENT_PAYLOAD).length : 0)
                    + (item.has(META_PAYLOAD) ? item.bytes(META_PAYLOAD).length : 0);
        }

        /** Whether the other item is this one, stored by an earlier attempt of the same writer. */
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

        /** @param fallbackStore the configured path of the fallback store, empty if there is none */
        StoredEvent event(String fallbackStore) {
            String persistenceId = item.text(PID);
            if (!item.has(EVENT_PAYLOAD)) {
                throw inFallbackStore(item, "Event " + seqNr + " of " + persistenceId, "journal", fallbackStore);
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

    /** The breadcrumb that the predecessor's own fallback store writes is the name of an S3 bucket. */
    static StoreException.Refused inFallbackStore(Item item, String what, String plugin, String configured) {
        String bucket = new String(item.bytes(BREADCRUMB_PAYLOAD), StandardCharsets.UTF_8);
        boolean isName = bucket.length() <= 63 && bucket.chars().allMatch(Akka2Items::isBucketCharacter);
        return new StoreException.Refused(
                what + " is not stored in the table but in the fallback store "
                        + (isName
                                ? "\"" + bucket + "\""
                                : "with a breadcrumb of serializer " + item.numberOr(BREADCRUMB_SER_ID, 0))
                        + " (" + plugin + ".fallback-store.plugin = \"" + configured
                        + "\"), which Dynajournal cannot read. Move it into the table with the plugin that wrote it.",
                null);
    }

    private static boolean isBucketCharacter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || ".-_".indexOf(c) >= 0;
    }
}
