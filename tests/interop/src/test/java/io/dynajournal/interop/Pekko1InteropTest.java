package io.dynajournal.interop;

/** pekko-persistence-dynamodb 1.1.0 on Pekko 1.1. */
final class Pekko1InteropTest extends V1InteropTests {

    Pekko1InteropTest() {
        super("pekko1", "ours-pekko");
    }
}
