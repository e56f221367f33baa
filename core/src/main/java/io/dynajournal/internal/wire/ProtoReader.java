package io.dynajournal.internal.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the fields of a protobuf message. The bytes are untrusted: every length is checked against the bytes that are left,
 * and every method throws {@link MalformedBytes} for what is not valid.
 */
public final class ProtoReader {

    private final byte[] source;
    private final int end;
    private int position;
    private int wireType;

    public ProtoReader(byte[] source, int from, int end) {
        this.source = source;
        this.position = from;
        this.end = end;
    }

    /** Advances to the next field and returns its number; 0 at the end. Read or skip its value before the next call. */
    public int nextField() {
        if (position == end) {
            return 0;
        }
        long tag = varint();
        wireType = (int) (tag & 7);
        long field = tag >>> 3;
        if (field < 1 || field > 536_870_911) {
            throw malformed("invalid field number " + field);
        }
        return (int) field;
    }

    public long readInt() {
        expect(0);
        return varint();
    }

    public int readSigned() {
        long value = readInt();
        return (int) (value >>> 1) ^ -(int) (value & 1);
    }

    public long readSignedLong() {
        long value = readInt();
        return (value >>> 1) ^ -(value & 1);
    }

    public byte[] readBytes() {
        int length = length();
        byte[] value = Arrays.copyOfRange(source, position, position + length);
        position += length;
        return value;
    }

    public String readText() {
        int length = length();
        try {
            String value = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(source, position, length))
                    .toString();
            position += length;
            return value;
        } catch (CharacterCodingException e) {
            throw malformed("text that is not UTF-8");
        }
    }

    /** A reader of a nested message. This reader continues after it. */
    public ProtoReader readMessage() {
        int length = length();
        ProtoReader nested = new ProtoReader(source, position, position + length);
        position += length;
        return nested;
    }

    /** Skips a field that this version does not know. */
    public void skip() {
        switch (wireType) {
            case 0 -> varint();
            case 1 -> advance(8);
            case 2 -> advance(length());
            case 5 -> advance(4);
            default -> throw malformed("unknown wire type " + wireType);
        }
    }

    private int length() {
        expect(2);
        long length = varint();
        if (length < 0 || length > end - position) {
            throw malformed("a length of " + length + " with " + (end - position) + " bytes left");
        }
        return (int) length;
    }

    private void advance(int count) {
        if (count > end - position) {
            throw malformed("end of the message inside a field");
        }
        position += count;
    }

    private void expect(int type) {
        if (wireType != type) {
            throw malformed("found wire type " + wireType + ", expected " + type + ",");
        }
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (position == end) {
                throw malformed("end of the message inside a number");
            }
            byte next = source[position++];
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw malformed("a number of more than 64 bits");
    }

    private MalformedBytes malformed(String what) {
        return new MalformedBytes(what + " at byte " + position + " of " + end);
    }
}
