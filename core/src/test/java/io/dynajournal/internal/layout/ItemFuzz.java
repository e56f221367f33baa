package io.dynajournal.internal.layout;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Items of which a fuzzer that is guided by coverage replaces one attribute. Its input chooses the item (first byte), the
 * attribute (second), the type (third) and the value (the rest).
 */
public final class ItemFuzz {

    /** An item as it is stored, and what decodes it. */
    public record Subject(Item item, Function<Item, ?> decoder) {}

    private static final int HEAD = 3;
    /** Of an input of at most 4 KB, which can claim to decompress to a thousand times as much. */
    private static final long MAX_ALLOCATED_BYTES = 64L << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final String table;
    private final String secret;
    private final List<Subject> subjects;

    /** @param secret part of the payloads, which no error may quote */
    public ItemFuzz(String table, String secret, List<Subject> subjects) {
        this.table = table;
        this.secret = secret;
        this.subjects = List.copyOf(subjects);
    }

    /** Inputs that leave each item as it is, one for each attribute of each item: the corpus that a fuzzer begins with. */
    public Stream<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        for (int number = 0; number < subjects.size(); number++) {
            List<String> names = names(subjects.get(number).item());
            for (int name = 0; name < names.size(); name++) {
                AttributeValue value = subjects.get(number).item().attributes().get(names.get(name));
                if (value != null && (value.b() != null || value.s() != null || value.n() != null)) {
                    seeds.add(seed(number, name, value));
                }
            }
        }
        return seeds.stream();
    }

    private static byte[] seed(int number, int name, AttributeValue value) {
        byte[] bytes = value.b() != null
                ? value.b().asByteArray()
                : (value.s() != null ? value.s() : value.n()).getBytes(StandardCharsets.UTF_8);
        byte[] seed = new byte[HEAD + bytes.length];
        seed[0] = (byte) number;
        seed[1] = (byte) name;
        seed[2] = (byte) (value.b() != null ? 0 : value.s() != null ? 1 : 2);
        System.arraycopy(bytes, 0, seed, HEAD, bytes.length);
        return seed;
    }

    private static List<String> names(Item item) {
        return item.attributes().keySet().stream().sorted().toList();
    }

    /**
     * Decodes the item that an input describes. It is decoded, or gives a {@link StoreException.CorruptItem} that names table,
     * key and attribute and quotes no payload; either way with bounded memory.
     */
    public void check(byte[] input) {
        if (input.length < HEAD) {
            return;
        }
        Subject subject = subjects.get(Byte.toUnsignedInt(input[0]) % subjects.size());
        List<String> names = names(subject.item());
        Map<String, AttributeValue> attributes =
                new LinkedHashMap<>(subject.item().attributes());
        attributes.put(names.get(Byte.toUnsignedInt(input[1]) % names.size()), value(input));
        Item item = Item.of(table, attributes);
        if (allocated(subject, item) >= MAX_ALLOCATED_BYTES) {
            // The first time it may have loaded classes, which the fuzzer instruments on this thread.
            assertThat(allocated(subject, item)).isLessThan(MAX_ALLOCATED_BYTES);
        }
    }

    private long allocated(Subject subject, Item item) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            assertThat(subject.decoder().apply(item)).isNotNull();
        } catch (StoreException.CorruptItem corrupt) {
            assertThat(corrupt.getMessage())
                    .contains("table " + table)
                    .containsPattern("(?s)Attribute \\S+ .* in the item \\[");
            // Errors name the key, into which the fuzzer may have put a payload.
            if (!item.toString().contains(secret)) {
                assertThat(corrupt.getMessage()).doesNotContain(secret);
            }
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static AttributeValue value(byte[] input) {
        byte[] bytes = new byte[input.length - HEAD];
        System.arraycopy(input, HEAD, bytes, 0, bytes.length);
        String text = new String(bytes, StandardCharsets.UTF_8);
        return switch (Byte.toUnsignedInt(input[2]) % 6) {
            case 0, 3 -> AttributeValue.fromB(SdkBytes.fromByteArray(bytes));
            case 1 -> AttributeValue.fromS(text);
            case 2 -> AttributeValue.fromN(text);
            case 4 -> AttributeValue.fromSs(List.of(text));
            default -> AttributeValue.fromM(Map.of("x", AttributeValue.fromS(text)));
        };
    }
}
