package io.dynajournal.wire;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The outermost bytes of everything we store. The first byte has the version of the format in its high half and the
 * compression in its low half: {@code 0x10} is followed by the message itself, {@code 0x11} by the length of the message as
 * a varint and the message in raw DEFLATE.
 */
public final class Frame {

    /** Version 1, not compressed: whoever encodes a message puts this byte before it. */
    public static final int PLAIN = 0x10;

    private static final int DEFLATED = 0x11;

    /** DEFLATE cannot pack tighter than this; a length beyond it is a lie that would only cost memory. */
    private static final int MAX_RATIO = 1100;

    private static final int PIECE = 2048;

    /** Up to here the whole is looked at: what is between many small events alone may save a unit. */
    private static final int GUESSED_WHOLE = 32 * 1024;

    /** A new one takes a quarter of a megabyte, which costs more than to compress a few KB. Its cleaner frees a dead thread's. */
    private static final ThreadLocal<Deflater> DEFLATERS =
            ThreadLocal.withInitial(() -> new Deflater(Deflater.DEFAULT_COMPRESSION, true));

    private static final byte[] NOTHING = {};

    private Frame() {}

    /** The same message, compressed, whether that is shorter or not. */
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
        deflater.setInput(NOTHING);
        writeHead(target, length, head);
        return Arrays.copyOf(target, position);
    }

    /**
     * Whether it is worth a try: what is compressed or encrypted already does not get shorter, and to find that out by the
     * whole takes longer than all else that is done with a message.
     *
     * @param needed how many bytes shorter it must become
     */
    public static boolean mayShrink(byte[] plain, int needed) {
        if (plain.length <= GUESSED_WHOLE) {
            int redundancy = Redundancy.of(plain, 1, plain.length);
            return redundancy + redundancy / 2 >= needed;
        }
        return doPiecesShrink(plain);
    }

    /** Of a large one three pieces tell. */
    private static boolean doPiecesShrink(byte[] plain) {
        byte[] target = new byte[PIECE];
        int shorter = 0;
        Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
        try {
            for (int from : new int[] {0, (plain.length - PIECE) / 2, plain.length - PIECE}) {
                deflater.reset();
                deflater.setInput(plain, from, PIECE);
                deflater.finish();
                int length = deflater.deflate(target);
                shorter += deflater.finished() ? PIECE - length : 0;
            }
        } finally {
            deflater.end();
        }
        return shorter > 3 * PIECE / 50;
    }

    /** A reader of the message. */
    public static ProtoReader open(byte[] frame) {
        if (frame.length == 0) {
            throw new MalformedBytes("no bytes at all");
        }
        return switch (frame[0]) {
            case PLAIN -> new ProtoReader(frame, 1, frame.length);
            case DEFLATED -> inflate(frame);
            default ->
                throw new MalformedBytes("frame version " + ((frame[0] & 0xFF) >> 4) + ", compression "
                        + (frame[0] & 0x0F) + "; this version reads 1 with 0 or 1");
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
                throw new MalformedBytes("no length before the compressed bytes");
            }
            byte next = frame[position++];
            length |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                break;
            }
        }
        if (length > (long) MAX_RATIO * frame.length || length > Integer.MAX_VALUE - 16) {
            throw new MalformedBytes("a length of " + length + " in " + frame.length + " compressed bytes");
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
                throw new MalformedBytes("compressed bytes that are not " + length + " long");
            }
            return message;
        } catch (DataFormatException e) {
            throw new MalformedBytes("compressed bytes that are damaged: " + e.getMessage());
        } finally {
            inflater.end();
        }
    }
}
