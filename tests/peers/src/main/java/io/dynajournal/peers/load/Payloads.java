package io.dynajournal.peers.load;

import java.util.Arrays;
import java.util.Random;

/** Random bytes, which do not compress, not even across events. The same in every run. */
final class Payloads {

    private static final byte[] POOL = pool();

    private Payloads() {}

    private static byte[] pool() {
        byte[] bytes = new byte[8 << 20];
        new Random(4711).nextBytes(bytes);
        return bytes;
    }

    static byte[] of(int size, long number) {
        int places = POOL.length / size;
        int from = (int) (number % places) * size;
        return Arrays.copyOfRange(POOL, from, from + size);
    }
}
