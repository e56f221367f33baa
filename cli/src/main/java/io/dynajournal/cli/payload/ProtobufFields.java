package io.dynajournal.cli.payload;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The fields of a protobuf message by number and wire type; no schema is known, so nested messages are guessed. */
final class ProtobufFields {

    private static final int MAX_DEPTH = 16;

    private final ByteBuffer bytes;
    private final int depth;

    private ProtobufFields(byte[] bytes, int depth) {
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        this.depth = depth;
    }

    /** Empty if the bytes are no message. */
    static Optional<String> shown(byte[] bytes) {
        return shown(bytes, 0);
    }

    private static Optional<String> shown(byte[] bytes, int depth) {
        if (bytes.length == 0 || depth > MAX_DEPTH) {
            return Optional.empty();
        }
        ProtobufFields message = new ProtobufFields(bytes, depth);
        List<String> fields = new ArrayList<>();
        while (message.bytes.hasRemaining()) {
            Optional<String> field = message.field();
            if (field.isEmpty()) {
                return Optional.empty();
            }
            fields.add(field.get());
        }
        return Optional.of(String.join(" ", fields));
    }

    private Optional<String> field() {
        Optional<Long> tag = varint();
        long number = tag.map(found -> found >>> 3).orElse(0L);
        if (number < 1 || number > 536_870_911) {
            return Optional.empty();
        }
        Optional<String> value = switch ((int) (tag.orElse(0L) & 7)) {
            case 0 -> varint().map(found -> Long.toString(found));
            case 1 -> bytes.remaining() < 8 ? Optional.empty() : Optional.of("0x" + Long.toHexString(bytes.getLong()));
            case 2 -> varint().flatMap(this::content);
            case 5 ->
                bytes.remaining() < 4 ? Optional.empty() : Optional.of("0x" + Integer.toHexString(bytes.getInt()));
            default -> Optional.empty();
        };
        return value.map(found -> number + ":" + found);
    }

    private Optional<String> content(long length) {
        if (length < 0 || length > bytes.remaining()) {
            return Optional.empty();
        }
        byte[] content = new byte[(int) length];
        bytes.get(content);
        return Optional.of(PayloadView.text(content)
                .map(text -> '"' + text + '"')
                .or(() -> shown(content, depth + 1).map(fields -> "{" + fields + "}"))
                .orElseGet(() -> "0x" + HexFormat.of().formatHex(content)));
    }

    private Optional<Long> varint() {
        long value = 0;
        for (int shift = 0; shift < 64 && bytes.hasRemaining(); shift += 7) {
            byte next = bytes.get();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }
}
