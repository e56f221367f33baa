package io.dynajournal.cli.payload;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.smile.SmileFactory;
import io.dynajournal.cli.terminal.Output;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * A payload as people can read it. The form is found by the bytes: the manifest and the serializer id mean something to the
 * application alone.
 *
 * @param form {@code json}, {@code smile}, {@code cbor}, {@code text}, {@code java}, {@code protobuf}, {@code hex} or {@code
 *     empty}; with {@code gzip+} before it if it was compressed
 * @param value a text, or {@link Output.Json}
 */
public record PayloadView(String form, Object value) {

    private static final ObjectMapper JSON = strict(new ObjectMapper());
    private static final ObjectMapper CBOR = strict(new ObjectMapper(new CBORFactory()));
    private static final ObjectMapper SMILE = strict(new ObjectMapper(new SmileFactory()));

    /** More of a compressed payload is not unpacked: few bytes may stand for very many. */
    private static final int MAX_UNPACKED = 16 << 20;

    private static final int JAVA_STREAM = 0xaced0005;
    private static final int JAVA_CLASS = 0x72;

    private static ObjectMapper strict(ObjectMapper mapper) {
        return mapper.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    }

    /** The view of a payload's bytes. */
    public static PayloadView of(byte[] bytes) {
        if (bytes.length == 0) {
            return new PayloadView("empty", "");
        }
        return Stream.<Supplier<Optional<PayloadView>>>of(
                        () -> javaClasses(bytes).map(names -> new PayloadView("java", names)),
                        () -> unpacked(bytes),
                        () -> begins(bytes, ":)\n") ? tree(SMILE, "smile", bytes) : Optional.empty(),
                        () -> tree(JSON, "json", bytes),
                        () -> text(bytes).map(text -> new PayloadView("text", text)),
                        () -> tree(CBOR, "cbor", bytes),
                        () -> ProtobufFields.shown(bytes).map(fields -> new PayloadView("protobuf", fields)))
                .map(Supplier::get)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(() -> new PayloadView("hex", HexFormat.of().formatHex(bytes)));
    }

    private static boolean begins(byte[] bytes, String start) {
        return new String(bytes, 0, Math.min(bytes.length, start.length()), StandardCharsets.ISO_8859_1).equals(start);
    }

    /** A single number or text is more likely to be something else. */
    private static Optional<PayloadView> tree(ObjectMapper mapper, String form, byte[] bytes) {
        try {
            JsonNode tree = mapper.readTree(bytes);
            return tree != null && tree.isContainerNode()
                    ? Optional.of(new PayloadView(form, new Output.Json(JSON.writeValueAsString(tree))))
                    : Optional.empty();
        } catch (IOException noSuchTree) {
            return Optional.empty();
        }
    }

    /** UTF-8 without control characters other than those of lines; empty for anything else. */
    static Optional<String> text(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.chars().allMatch(c -> !Character.isISOControl(c) || c == '\n' || c == '\r' || c == '\t')
                    ? Optional.of(text)
                    : Optional.empty();
        } catch (CharacterCodingException binary) {
            return Optional.empty();
        }
    }

    private static Optional<PayloadView> unpacked(byte[] bytes) {
        if (bytes.length < 2 || bytes[0] != 0x1f || bytes[1] != (byte) 0x8b) {
            return Optional.empty();
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            PayloadView inside = of(in.readNBytes(MAX_UNPACKED));
            return Optional.of(new PayloadView("gzip+" + inside.form, inside.value));
        } catch (IOException noGzip) {
            return Optional.empty();
        }
    }

    /** The names of the classes in Java's serialization; nothing is loaded. */
    private static Optional<String> javaClasses(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < 6 || in.getInt() != JAVA_STREAM) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        while (in.remaining() > 2) {
            if (in.get() == JAVA_CLASS) {
                int length = in.getShort(in.position()) & 0xffff;
                int start = in.position() + 2;
                if (length > 0 && length + 8 <= in.limit() - start) {
                    String name = new String(bytes, start, length, StandardCharsets.UTF_8);
                    if (name.matches("\\[*[\\p{L}_$][\\p{L}\\p{N}_$./]*;?") && !names.contains(name)) {
                        names.add(name);
                        in.position(start + length);
                    }
                }
            }
        }
        return Optional.of(String.join(", ", names));
    }
}
