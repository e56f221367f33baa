package io.dynajournal.internal.wire;

import java.nio.charset.StandardCharsets;

/**
 * Writes the fields of a protobuf message into one array of the exact size: callers add up the {@code …Size} methods first, so
 * that payloads are copied once. Both omit fields that have their default value, unless they say otherwise.
 */
public final class ProtoWriter {

    private static final int VARINT = 0;
    private static final int BYTES = 2;

    private final byte[] target;
    private int position;

    public ProtoWriter(int size) {
        this.target = new byte[size];
    }

    public static int intSize(int field, long value) {
        return value == 0 ? 0 : varintSize(tag(field, VARINT)) + varintSize(value);
    }

    public static int signedSize(int field, int value) {
        return intSize(field, zigzag(value));
    }

    public static int signedLongSize(int field, long value) {
        return intSize(field, zigzagLong(value));
    }

    /** The size of {@link #writePresentInt}: 0 is not omitted. */
    public static int presentIntSize(int field, long value) {
        return varintSize(tag(field, VARINT)) + varintSize(value);
    }

    public static int bytesSize(int field, int length) {
        return length == 0 ? 0 : messageSize(field, length);
    }

    /** Unlike empty bytes, an empty message is not omitted. */
    public static int messageSize(int field, int length) {
        return varintSize(tag(field, BYTES)) + varintSize(length) + length;
    }

    public void rawByte(int value) {
        target[position++] = (byte) value;
    }

    public void writeInt(int field, long value) {
        if (value != 0) {
            varint(tag(field, VARINT));
            varint(value);
        }
    }

    public void writeSigned(int field, int value) {
        writeInt(field, zigzag(value));
    }

    public void writeSignedLong(int field, long value) {
        writeInt(field, zigzagLong(value));
    }

    /** Writes 0 as well. */
    public void writePresentInt(int field, long value) {
        varint(tag(field, VARINT));
        varint(value);
    }

    public void writeBytes(int field, byte[] value) {
        if (value.length > 0) {
            writeMessageHead(field, value.length);
            raw(value);
        }
    }

    public void raw(byte[] value) {
        System.arraycopy(value, 0, target, position, value.length);
        position += value.length;
    }

    public void writeText(int field, String value) {
        writeBytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Starts a nested message: the caller then writes its fields, {@code length} bytes in total. */
    public void writeMessageHead(int field, int length) {
        varint(tag(field, BYTES));
        varint(length);
    }

    public byte[] toBytes() {
        if (position != target.length) {
            throw new IllegalStateException("Wrote " + position + " bytes, but " + target.length + " were allocated");
        }
        return target;
    }

    public void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            target[position++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        target[position++] = (byte) rest;
    }

    public static int varintSize(long value) {
        return value == 0 ? 1 : (70 - Long.numberOfLeadingZeros(value)) / 7;
    }

    private static long tag(int field, int wireType) {
        return ((long) field << 3) | wireType;
    }

    private static long zigzagLong(long value) {
        return (value << 1) ^ (value >> 63);
    }

    private static long zigzag(int value) {
        return ((value << 1) ^ (value >> 31)) & 0xFFFFFFFFL;
    }
}
