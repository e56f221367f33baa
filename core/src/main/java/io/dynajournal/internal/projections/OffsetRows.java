package io.dynajournal.internal.projections;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.wire.MalformedBytes;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The items of the table {@code timestamp_offset}, as akka-projection-dynamodb reads and writes them. Further attributes are
 * ours, and that plugin ignores them: {@code gen} and {@code from} after the offset was set, {@code to}, {@code togen} and
 * {@code owner} in the first slice of a range.
 */
final class OffsetRows {

    static final String NAME_SLICE = "name_slice";
    static final String PID = "pid";
    static final String SEQ_NR = "seq_nr";
    static final String TIMESTAMP = "ts";
    static final String OWNER = "owner";

    /** The sort keys of rows that do not belong to an entity. */
    static final String SLICE = "_";

    static final String MANAGEMENT = "_mgmt";

    private static final String SEEN = "seen";
    static final String EXPIRY = "expiry";
    private static final String PAUSED = "paused";
    static final String GENERATION = "gen";
    private static final String BASELINE = "from";
    private static final String LAST = "last";
    private static final String PROGRESS = "to";
    private static final String PROGRESS_GENERATION = "togen";
    private static final String HORIZON = "tolog";
    private static final String BATCH = "batch";
    private static final String LOG = "_log-";

    private final String projection;

    /** Begins the owner of a row that a tool has changed; the instances of the projection then start again. */
    private static final String TOOL = "tool-";

    /** A new name of a tool, as the owner of rows. */
    static String tool() {
        return TOOL + UUID.randomUUID();
    }

    static boolean isTool(@Nullable String owner) {
        return owner != null && owner.startsWith(TOOL);
    }

    OffsetRows(String projection) {
        this.projection = projection;
    }

    Map<String, AttributeValue> key(int slice, String pid) {
        return Map.of(NAME_SLICE, AttributeValue.fromS(nameSlice(slice)), PID, AttributeValue.fromS(pid));
    }

    AttributeValue hash(int slice) {
        return AttributeValue.fromS(nameSlice(slice));
    }

    /** The slice of an item. */
    int slice(Item item) {
        return Integer.parseInt(item.text(NAME_SLICE).substring(projection.length() + 1));
    }

    private String nameSlice(int slice) {
        return projection + "-" + slice;
    }

    private Item item(int slice, String pid) {
        return Item.create().text(NAME_SLICE, nameSlice(slice)).text(PID, pid);
    }

    /** @param expirySeconds when it may be deleted, in seconds since 1970; null for never */
    Item seqNr(int slice, String persistenceId, SeqNrRow row, @Nullable Long expirySeconds) {
        Item item = item(slice, persistenceId).number(SEQ_NR, row.seqNr()).number(TIMESTAMP, row.micros());
        if (row.generation() > 0) {
            item.number(GENERATION, row.generation());
        }
        return expirySeconds == null ? item : item.number(EXPIRY, expirySeconds);
    }

    static SeqNrRow seqNr(Item item) {
        return new SeqNrRow(item.number(SEQ_NR), item.number(TIMESTAMP), item.numberOr(GENERATION, 0));
    }

    /** @param owner who may replace it; null for anybody */
    Item slice(int slice, SliceRow row, @Nullable String owner) {
        Item item = item(slice, SLICE).number(TIMESTAMP, row.micros());
        Map<String, AttributeValue> seen = new HashMap<>();
        row.seen().forEach((id, seqNr) -> seen.put(id, AttributeValue.fromN(Long.toString(seqNr))));
        item.attributes().put(SEEN, AttributeValue.fromM(seen));
        if (row.generation() > 0) {
            item.number(GENERATION, row.generation());
        }
        if (row.baseline() > 0) {
            item.number(BASELINE, row.baseline());
        }
        if (!row.progress().isEmpty()) {
            item.attributes().put(PROGRESS, byLast(row, SliceRow.Progress::micros));
        }
        if (row.progress().values().stream().anyMatch(progress -> progress.generation() > 0)) {
            item.attributes().put(PROGRESS_GENERATION, byLast(row, SliceRow.Progress::generation));
        }
        Map<String, AttributeValue> horizons = new HashMap<>();
        row.progress().forEach((last, progress) -> {
            if (progress.isPacked()) {
                horizons.put(Integer.toString(last), AttributeValue.fromN(Long.toString(progress.horizon())));
            }
        });
        if (!horizons.isEmpty()) {
            item.attributes().put(HORIZON, AttributeValue.fromM(horizons));
        }
        return owner == null ? item : item.text(OWNER, owner);
    }

    /** The sort keys of the rows of a log begin so. */
    static String logPrefix(SliceRange of) {
        return LOG + of.max() + "-";
    }

    static String logKey(SliceRange of, long number) {
        return logPrefix(of) + String.format(Locale.ROOT, "%019d", number);
    }

    /** @param bytes the entities of a batch */
    Item batch(SliceRange of, long number, String owner, byte[] bytes) {
        return item(of.min(), logKey(of, number)).text(OWNER, owner).bytes(BATCH, bytes);
    }

    /** The row before the batches of a log. It is never deleted. */
    Item logOwner(SliceRange of, String owner) {
        return item(of.min(), logKey(of, 0)).text(OWNER, owner);
    }

    Map<String, AttributeValue> logOwnerKey(SliceRange of) {
        return key(of.min(), logKey(of, 0));
    }

    static long batchNumber(Item item) {
        String key = item.text(PID);
        return Long.parseLong(key.substring(key.lastIndexOf('-') + 1));
    }

    /** Empty in the row of the owner. */
    static byte[] batchBytes(Item item) {
        return item.has(BATCH) ? item.bytes(BATCH) : new byte[0];
    }

    static List<BatchItems.Entry> batch(Item item) {
        byte[] bytes = batchBytes(item);
        try {
            return bytes.length == 0 ? List.of() : BatchItems.decode(bytes);
        } catch (MalformedBytes e) {
            throw item.corrupt(BATCH, "cannot be read: " + e.getMessage(), e);
        }
    }

    private static AttributeValue byLast(SliceRow row, ToLongFunction<SliceRow.Progress> number) {
        Map<String, AttributeValue> numbers = new HashMap<>();
        row.progress()
                .forEach((last, progress) -> numbers.put(
                        Integer.toString(last), AttributeValue.fromN(Long.toString(number.applyAsLong(progress)))));
        return AttributeValue.fromM(numbers);
    }

    static SliceRow sliceRow(Item item) {
        Map<Integer, SliceRow.Progress> progress = new HashMap<>();
        Map<String, Long> generations = numbers(item, PROGRESS_GENERATION);
        Map<String, Long> horizons = numbers(item, HORIZON);
        numbers(item, PROGRESS)
                .forEach((last, micros) -> progress.put(
                        Integer.valueOf(last),
                        new SliceRow.Progress(
                                micros,
                                generations.getOrDefault(last, 0L),
                                horizons.getOrDefault(last, SliceRow.Progress.ENTITIES))));
        return new SliceRow(
                item.number(TIMESTAMP),
                numbers(item, SEEN),
                item.numberOr(GENERATION, 0),
                item.numberOr(BASELINE, 0),
                progress);
    }

    /** The numbers of a map; none if the attribute is missing. */
    private static Map<String, Long> numbers(Item item, String name) {
        Map<String, Long> numbers = new HashMap<>();
        AttributeValue map = item.attributes().get(name);
        if (map != null && map.hasM()) {
            Item byName = Item.of(map.m());
            map.m().keySet().forEach(each -> numbers.put(each, byName.number(each)));
        }
        return numbers;
    }

    /** @param last the last slice that it applies to */
    Item management(int slice, boolean paused, int last) {
        return item(slice, MANAGEMENT).flag(PAUSED, paused).number(LAST, last);
    }

    static boolean isPaused(Item item) {
        return item.isTrue(PAUSED);
    }

    /** The last slice that a row of the management applies to; its own if another plugin wrote it. */
    static int lastPaused(Item item, int slice) {
        return Math.toIntExact(item.numberOr(LAST, slice));
    }
}
