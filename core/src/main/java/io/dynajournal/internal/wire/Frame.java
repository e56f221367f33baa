package io.dynajournal.internal.wire;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The frame around every stored message. Its first byte has the version of the format in the high half and the compression
 * in the low half: {@code 0x10} is followed by the message itself, {@code 0x11} by the length of the message as a varint and
 * the message in raw DEFLATE.
 */
public final class Frame {

    /** Version 1, not compressed. Encoders write this byte before the message. */
    public static final int PLAIN = 0x10;

    private static final int DEFLATED = 0x11;

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

    /** The same message compressed, even if that is longer. */
    public static byte[] deflate(byte[] plain) {
        int length = plain.length - 1;
        int head = 1 + ProtoWriter.varintSize(length);
        Deflater deflater = DEFLATERS.get();
        deflater.reset();
        deflater.setInput(plain, 1, length);
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
        writeHead(target, length, head);
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
            int redundancy = Redundancy.estimateBytes(plain, 1, plain.length);
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
     * @throws MalformedBytes if the frame has another version or compression, or is damaged
     */
    public static ProtoReader open(byte[] frame) {
        if (frame.length == 0) {
            throw new MalformedBytes("the frame is empty");
        }
        return switch (frame[0]) {
            case PLAIN -> new ProtoReader(frame, 1, frame.length);
            case DEFLATED -> inflate(frame);
            default ->
                throw new MalformedBytes("found frame version " + ((frame[0] & 0xFF) >> 4) + " with compression "
                        + (frame[0] & 0x0F) + ", expected version 1 with compression 0 or 1");
        };
    }

    private static void writeHead(byte[] target, int length, int head) {
        ProtoWriter writer = new ProtoWriter(head);
        writer.rawByte(DEFLATED);
        writer.varint(length);
        System.arraycopy(writer.toBytes(), 0, target, 0, head);
    }

    private static ProtoReader inflate(byte[] frame) {
        int position = 1;
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
