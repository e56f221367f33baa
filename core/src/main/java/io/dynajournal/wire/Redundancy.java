package io.dynajournal.wire;

/**
 * How much a compressor could take away, guessed in one pass: a few nanoseconds for a byte, where the compressor takes tens. What is
 * compressed or encrypted already has next to nothing.
 */
final class Redundancy {

    private static final int SPREADING = 0x9E3779B1;

    private Redundancy() {}

    /** In bytes. Too much rather than too little: what both repeats and uses few symbols counts twice. */
    static int of(byte[] bytes, int from, int to) {
        return symbols(bytes, from, to) + repeats(bytes, from, to);
    }

    /** What a compressor tells of its codes takes at least so many bytes, and more for each symbol. */
    private static final int CODES = 7;

    private static final int SYMBOLS_PER_BYTE = 8;

    /** What codes of different length for the 256 symbols would save, beyond what it takes to tell them. */
    private static int symbols(byte[] bytes, int from, int to) {
        int[] counts = new int[256];
        for (int i = from; i < to; i++) {
            counts[bytes[i] & 0xFF]++;
        }
        int length = to - from;
        double bits = 0;
        int used = 0;
        for (int count : counts) {
            if (count > 0) {
                bits += count * Math.log((double) length / count);
                used++;
            }
        }
        int saved = (int) Math.ceil(length - bits / Math.log(2) / 8);
        return Math.max(0, saved - CODES - used / SYMBOLS_PER_BYTE);
    }

    /** At how many places four bytes stand that stood together before. */
    private static int repeats(byte[] bytes, int from, int to) {
        // Twice as many places as bytes, or noise would overwrite what comes again.
        int places = Integer.highestOneBit(Math.max(1, to - from)) * 2;
        int shift = Integer.numberOfLeadingZeros(places) + 1;
        int[] seen = new int[places];
        int repeats = 0;
        for (int i = from; i + 4 <= to; i++) {
            int four = (bytes[i] & 0xFF) << 24
                    | (bytes[i + 1] & 0xFF) << 16
                    | (bytes[i + 2] & 0xFF) << 8
                    | (bytes[i + 3] & 0xFF);
            int place = (four * SPREADING) >>> shift;
            if (seen[place] == four) {
                repeats++;
            }
            seen[place] = four;
        }
        return repeats;
    }
}
