package io.dynajournal.internal.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Every way to damage an item a little: single bits flipped, values cut short, attributes missing or of another type. */
public final class ItemDamage {

    /** An item of which one attribute is damaged. */
    public record Damaged(String attribute, String damage, Item item) {}

    private static final List<AttributeValue> OTHER_TYPES = List.of(
            AttributeValue.fromS(""),
            AttributeValue.fromS("x"),
            AttributeValue.fromN("0"),
            AttributeValue.fromN("-1"),
            AttributeValue.fromN("1.5"),
            AttributeValue.fromN("9223372036854775807"),
            AttributeValue.fromN("9223372036854775808"),
            AttributeValue.fromN("1E+125"),
            AttributeValue.fromB(SdkBytes.fromByteArray(new byte[0])),
            AttributeValue.fromB(SdkBytes.fromByteArray(new byte[3])),
            AttributeValue.fromBool(true),
            AttributeValue.fromNul(true),
            AttributeValue.fromSs(List.of("x")),
            AttributeValue.fromNs(List.of("1")),
            AttributeValue.fromL(List.of(AttributeValue.fromN("1"))),
            AttributeValue.fromM(Map.of("x", AttributeValue.fromN("1"))));

    private ItemDamage() {}

    /** Each damaged item in turn: bits, lengths and types of every attribute. */
    public static List<Damaged> of(Item item) {
        List<Damaged> damaged = new ArrayList<>();
        item.attributes().forEach((name, value) -> {
            for (int bit = 0; bit < bits(value); bit++) {
                int flipped = bit;
                add(damaged, item, name, "bit " + bit, map(value, bytes -> flip(bytes, flipped)));
            }
            addCuts(damaged, item, name, value);
            OTHER_TYPES.forEach(other -> add(damaged, item, name, other.toString(), other));
            add(damaged, item, name, "missing", null);
        });
        return damaged;
    }

    /** Each attribute in turn, cut at each byte. */
    public static List<Damaged> cut(Item item) {
        List<Damaged> damaged = new ArrayList<>();
        item.attributes().forEach((name, value) -> addCuts(damaged, item, name, value));
        return damaged;
    }

    private static void addCuts(List<Damaged> damaged, Item item, String name, AttributeValue value) {
        for (int length = 0; length < bits(value) / 8; length++) {
            int cut = length;
            add(damaged, item, name, length + " bytes", map(value, bytes -> Arrays.copyOf(bytes, cut)));
        }
    }

    private static void add(
            List<Damaged> damaged, Item item, String name, String damage, @Nullable AttributeValue value) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>(item.attributes());
        if (value == null) {
            attributes.remove(name);
        } else {
            attributes.put(name, value);
        }
        damaged.add(new Damaged(name, damage, Item.of(attributes)));
    }

    /** Of strings, numbers and binaries; others are damaged as a whole. */
    private static int bits(AttributeValue value) {
        return switch (value.type()) {
            case S -> 8 * value.s().getBytes(StandardCharsets.UTF_8).length;
            case N -> 8 * value.n().length();
            case B -> 8 * value.b().asByteArrayUnsafe().length;
            default -> 0;
        };
    }

    private static AttributeValue map(AttributeValue value, UnaryOperator<byte[]> change) {
        return switch (value.type()) {
            case S -> AttributeValue.fromS(text(change.apply(value.s().getBytes(StandardCharsets.UTF_8))));
            case N -> AttributeValue.fromN(text(change.apply(value.n().getBytes(StandardCharsets.UTF_8))));
            default ->
                AttributeValue.fromB(
                        SdkBytes.fromByteArray(change.apply(value.b().asByteArray())));
        };
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] flip(byte[] bytes, int bit) {
        byte[] flipped = bytes.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        return flipped;
    }

    /** What became of each damaged item: its attribute, and whether it was still decoded, to something else than before. */
    public record Outcome(Damaged damaged, boolean changed) {}

    /**
     * Decodes every damaged form of an item. Each one is either decoded or gives a {@link StoreException.CorruptItem} that names
     * the table, the key and an attribute, and quotes no payload.
     *
     * @return those that were decoded
     */
    public static List<Outcome> decoded(String table, Item item, String secret, Function<Item, ?> decoder) {
        return decoded(table, item, of(item), secret, decoder);
    }

    /** As {@link #decoded(String, Item, String, Function)}, of these damaged forms. */
    public static List<Outcome> decoded(
            String table, Item item, List<Damaged> forms, String secret, Function<Item, ?> decoder) {
        Object good = Objects.requireNonNull(decoder.apply(Item.of(table, item.attributes())));
        List<Outcome> outcomes = new ArrayList<>();
        for (Damaged damaged : forms) {
            try {
                Object found = decoder.apply(Item.of(table, damaged.item().attributes()));
                outcomes.add(new Outcome(damaged, !good.equals(found)));
            } catch (StoreException.CorruptItem corrupt) {
                assertThat(corrupt.getMessage())
                        .as("%s, %s", damaged.attribute(), damaged.damage())
                        .contains("table " + table)
                        .containsPattern("Attribute \\S+ .* in the item \\[")
                        .doesNotContain(secret);
            } catch (RuntimeException other) {
                throw new AssertionError(
                        damaged.attribute() + ", " + damaged.damage() + ": "
                                + damaged.item().attributes(),
                        other);
            }
        }
        return outcomes;
    }

    /** How many rounds {@link #fuzzed} takes; {@code -Dfuzz.rounds} makes them more. */
    private static final int FUZZ_ROUNDS = Integer.getInteger("fuzz.rounds", 3_000);

    /**
     * Forms of an item with random damage to its binaries: bytes changed, inserted, removed, repeated, or replaced by numbers
     * that are limits. {@code -Dfuzz.seed} repeats a run.
     */
    public static List<Damaged> fuzzed(Item item) {
        long seed = Long.getLong("fuzz.seed", System.nanoTime());
        Random random = new Random(seed);
        List<String> binaries = item.attributes().entrySet().stream()
                .filter(entry -> entry.getValue().b() != null)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        List<Damaged> damaged = new ArrayList<>();
        for (int round = 0; round < FUZZ_ROUNDS && !binaries.isEmpty(); round++) {
            String name = binaries.get(random.nextInt(binaries.size()));
            byte[] bytes = item.bytes(name).clone();
            for (int change = 0; change <= random.nextInt(4); change++) {
                bytes = changed(bytes, random);
            }
            add(
                    damaged,
                    item,
                    name,
                    "seed " + seed + ", round " + round,
                    AttributeValue.fromB(SdkBytes.fromByteArray(bytes)));
        }
        return damaged;
    }

    /** As varints and fixed numbers: -1, the largest of 32 and 64 bits, 0, and the first byte of a small length. */
    private static final List<byte[]> LIMITS = Stream.of(
                    "ffffffffffffffffff01",
                    "ffffffff07",
                    "ffffffff0f",
                    "ffffffffffffffff7f",
                    "ffffffff",
                    "7fffffff",
                    "00",
                    "7f")
            .map(HexFormat.of()::parseHex)
            .toList();

    private static byte[] changed(byte[] bytes, Random random) {
        int at = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, at + random.nextInt(6));
        byte[] inserted = switch (random.nextInt(5)) {
            case 0 -> new byte[0];
            case 1 -> new byte[] {(byte) random.nextInt(256)};
            case 2 -> LIMITS.get(random.nextInt(LIMITS.size()));
            case 3 -> Arrays.copyOfRange(bytes, at, to);
            default -> flip(Arrays.copyOfRange(bytes, at, Math.max(at + 1, to)), random.nextInt(8));
        };
        int from = random.nextBoolean() ? to : at;
        byte[] result = new byte[at + inserted.length + bytes.length - from];
        System.arraycopy(bytes, 0, result, 0, at);
        System.arraycopy(inserted, 0, result, at, inserted.length);
        System.arraycopy(bytes, from, result, at + inserted.length, bytes.length - from);
        return result;
    }

    /** The attributes whose damage changed what was decoded. */
    public static List<String> changed(List<Outcome> outcomes) {
        return outcomes.stream()
                .filter(Outcome::changed)
                .map(outcome -> outcome.damaged().attribute())
                .distinct()
                .sorted()
                .toList();
    }
}
