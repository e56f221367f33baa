package io.dynajournal.internal.wire;

/**
 * Estimates in one pass by how much a compressor could shrink some bytes: in a few nanoseconds per byte, where the compressor
 * takes tens. The estimate for compressed or encrypted bytes is near 0.
 */
final class Redundancy {

    /** Spreads hashes evenly: 2^32 divided by the golden ratio. */
    private static final int HASH_MULTIPLIER = 0x9E3779B1;

    private Redundancy() {}

    /** Rather too high than too low: bytes that both repeat and use few symbols count twice. */
    static int estimateBytes(byte[] bytes, int from, int to) {
        return savedByCodes(bytes, from, to) + repetitions(bytes, from, to);
    }

    /** The least size of a compressor's code table, which has a byte more for each {@link #SYMBOLS_PER_TABLE_BYTE}. */
    private static final int MIN_CODE_TABLE_BYTES = 7;

    private static final int SYMBOLS_PER_TABLE_BYTE = 8;

    /** How many bytes codes of different lengths for the 256 symbols would save, without their table. */
    private static int savedByCodes(byte[] bytes, int from, int to) {
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
        return Math.max(0, saved - MIN_CODE_TABLE_BYTES - used / SYMBOLS_PER_TABLE_BYTE);
    }

    /** At how many positions four bytes follow that occurred together before. */
    private static int repetitions(byte[] bytes, int from, int to) {
        // Twice as many slots as bytes, so that noise does not overwrite what is repeated.
        int slots = Integer.highestOneBit(Math.max(1, to - from)) * 2;
        int shift = Integer.numberOfLeadingZeros(slots) + 1;
        int[] seen = new int[slots];
        int repetitions = 0;
        for (int i = from; i + 4 <= to; i++) {
            int four = (bytes[i] & 0xFF) << 24
                    | (bytes[i + 1] & 0xFF) << 16
                    | (bytes[i + 2] & 0xFF) << 8
                    | (bytes[i + 3] & 0xFF);
            int slot = (four * HASH_MULTIPLIER) >>> shift;
            if (seen[slot] == four) {
                repetitions++;
            }
            seen[slot] = four;
        }
        return repetitions;
    }
}
