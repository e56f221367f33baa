package io.dynajournal.interop;

/** pekko-persistence-dynamodb 1.1.0 on Pekko 1.1. */
final class Pekko1UnusualInteropTest extends V1UnusualInteropTests {

    Pekko1UnusualInteropTest() {
        super("pekko1", "ours-pekko");
    }
}
