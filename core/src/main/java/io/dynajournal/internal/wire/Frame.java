package io.dynajournal.internal.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The frame around every stored message. Its first byte has the version of the format in the high half and the compression
 * in the low half. Version 2, which is written, continues with a CRC32C in 4 bytes, most significant first; version 1 has none.
 * Without compression the message follows, otherwise its length as a varint and the message in raw DEFLATE.
 *
 * <p>The checksum covers {@link Covered what the frame is stored with}, then the first byte, then what follows the checksum.
 */
public final class Frame {

    /** Bytes before the message, in a frame that is not compressed. */
    public static final int HEAD_BYTES = 5;

    /** What the checksum of a frame covers besides the frame: the attributes around it. */
    public interface Covered {

        /** For a frame that is checked by itself. */
        Covered NOTHING_ELSE = checksum -> {};

        void addTo(Checksum checksum);
    }

    private static final int PLAIN_1 = 0x10;
    private static final int DEFLATED_1 = 0x11;
    private static final int PLAIN = 0x20;
    private static final int DEFLATED = 0x21;

    /** DEFLATE cannot compress by more than this factor; a longer message is refused before memory is allocated for it. */
    private static final int MAX_COMPRESSION_FACTOR = 1100;

    private static final int SAMPLES = 3;
    private static final int SAMPLE_BYTES = 2048;

    /** A sample counts as compressible if it shrinks by more than one part in this many. */
    private static final int MIN_SHRINK_DIVISOR = 50;

    /** Up to this size the whole message is examined: the bytes between many small events alone may save a write unit. */
    private static final int MAX_FULLY_EXAMINED_BYTES = 32 * 1024;

    /**
     * One per thread: a new deflater allocates 256 KB, which takes longer than compressing a few KB. That of a dead thread is
     * freed by its cleaner.
     */
    private static final ThreadLocal<Deflater> DEFLATERS =
            ThreadLocal.withInitial(() -> new Deflater(Deflater.DEFAULT_COMPRESSION, true));

    private static final byte[] NO_BYTES = {};

    private Frame() {}

    /** A writer of a message of this size in a frame that is not compressed. {@link #seal} completes the frame. */
    public static ProtoWriter writer(int messageBytes) {
        ProtoWriter writer = new ProtoWriter(HEAD_BYTES + messageBytes);
        writeHead(writer, PLAIN);
        return writer;
    }

    private static void writeHead(ProtoWriter writer, int firstByte) {
        writer.rawByte(firstByte);
        for (int i = 1; i < HEAD_BYTES; i++) {
            writer.rawByte(0);
        }
    }

    /** Writes the checksum into a frame that this class has made, and returns the frame. */
    public static byte[] seal(byte[] frame, Covered covered) {
        ByteBuffer.wrap(frame).putInt(1, checksum(frame, covered));
        return frame;
    }

    private static int checksum(byte[] frame, Covered covered) {
        CRC32C checksum = new CRC32C();
        covered.addTo(checksum);
        checksum.update(frame[0]);
        checksum.update(frame, HEAD_BYTES, frame.length - HEAD_BYTES);
        return (int) checksum.getValue();
    }

    /** The same message compressed, even if that is longer. {@link #seal} completes the frame. */
    public static byte[] deflate(byte[] plain) {
        int length = plain.length - HEAD_BYTES;
        int head = HEAD_BYTES + ProtoWriter.varintSize(length);
        Deflater deflater = DEFLATERS.get();
        deflater.reset();
        deflater.setInput(plain, HEAD_BYTES, length);
        deflater.finish();
        byte[] target = new byte[head + 64 + length / 2];
        int position = head;
        while (!deflater.finished()) {
            if (position == target.length) {
                target = Arrays.copyOf(target, target.length * 2);
            }
            position += deflater.deflate(target, position, target.length - position);
        }
        deflater.setInput(NO_BYTES);
        writeDeflatedHead(target, length, head);
        return Arrays.copyOf(target, position);
    }

    /**
     * Whether compression is worth trying. A message that is already compressed or encrypted does not shrink, and compressing
     * it takes longer than everything else that is done with it.
     *
     * @param neededBytes by how many bytes it must shrink
     */
    public static boolean mayShrink(byte[] plain, int neededBytes) {
        if (plain.length <= MAX_FULLY_EXAMINED_BYTES) {
            int redundancy = Redundancy.estimateBytes(plain, HEAD_BYTES, plain.length);
            return redundancy + redundancy / 2 >= neededBytes;
        }
        return doSamplesShrink(plain);
    }

    private static boolean doSamplesShrink(byte[] plain) {
        byte[] target = new byte[SAMPLE_BYTES];
        int savedBytes = 0;
        Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
        try {
            int last = plain.length - SAMPLE_BYTES;
            for (int from : new int[] {0, last / 2, last}) {
                deflater.reset();
                deflater.setInput(plain, from, SAMPLE_BYTES);
                deflater.finish();
                int length = deflater.deflate(target);
                savedBytes += deflater.finished() ? SAMPLE_BYTES - length : 0;
            }
        } finally {
            deflater.end();
        }
        return savedBytes > SAMPLES * SAMPLE_BYTES / MIN_SHRINK_DIVISOR;
    }

    /**
     * A reader of the message in a frame.
     *
     * @throws MalformedBytes if the frame has another version or compression, or if it or what its checksum covers is damaged
     */
    public static ProtoReader open(byte[] frame, Covered covered) {
        if (frame.length == 0) {
            throw new MalformedBytes("the frame is empty");
        }
        return switch (frame[0]) {
            case PLAIN_1 -> new ProtoReader(frame, 1, frame.length);
            case DEFLATED_1 -> inflate(frame, 1);
            case PLAIN -> new ProtoReader(checked(frame, covered), HEAD_BYTES, frame.length);
            case DEFLATED -> inflate(checked(frame, covered), HEAD_BYTES);
            default ->
                throw new MalformedBytes("found frame version " + ((frame[0] & 0xFF) >> 4) + " with compression "
                        + (frame[0] & 0x0F) + ", expected version 1 or 2 with compression 0 or 1");
        };
    }

    /** Before anything is decompressed, so that damaged bytes do not reach the decompressor. */
    private static byte[] checked(byte[] frame, Covered covered) {
        if (frame.length < HEAD_BYTES) {
            throw new MalformedBytes("the frame has " + frame.length + " bytes, fewer than its head");
        }
        int stored = ByteBuffer.wrap(frame).getInt(1);
        int computed = checksum(frame, covered);
        if (stored != computed) {
            throw new MalformedBytes("expected the checksum " + HexFormat.of().toHexDigits(computed) + ", found "
                    + HexFormat.of().toHexDigits(stored) + "; it covers the frame and " + covered);
        }
        return frame;
    }

    private static void writeDeflatedHead(byte[] target, int length, int head) {
        ProtoWriter writer = new ProtoWriter(head);
        writeHead(writer, DEFLATED);
        writer.varint(length);
        System.arraycopy(writer.toBytes(), 0, target, 0, head);
    }

    private static ProtoReader inflate(byte[] frame, int from) {
        int position = from;
        long length = 0;
        for (int shift = 0; ; shift += 7) {
            if (position == frame.length || shift > 28) {
                throw new MalformedBytes("the length before the compressed bytes is missing or too long");
            }
            byte next = frame[position++];
            length |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                break;
            }
        }
        if (length > (long) MAX_COMPRESSION_FACTOR * frame.length || length > Integer.MAX_VALUE - 16) {
            throw new MalformedBytes(
                    "a message of " + length + " bytes cannot be in " + frame.length + " compressed bytes");
        }
        return new ProtoReader(inflated(frame, position, (int) length), 0, (int) length);
    }

    private static byte[] inflated(byte[] frame, int from, int length) {
        byte[] message = new byte[length];
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(frame, from, frame.length - from);
            int done = 0;
            while (done < length) {
                int count = inflater.inflate(message, done, length - done);
                if (count == 0) {
                    break;
                }
                done += count;
            }
            if (done < length || inflater.inflate(new byte[1]) != 0) {
                throw new MalformedBytes("the compressed message is not " + length + " bytes long");
            }
            return message;
        } catch (DataFormatException e) {
            throw new MalformedBytes("the compressed bytes are damaged: " + e.getMessage());
        } finally {
            inflater.end();
        }
    }
}
