package io.dynajournal.interop;

/** akka-persistence-dynamodb 1.3.0 on Akka 2.5. */
final class Akka1InteropTest extends V1InteropTests {

    Akka1InteropTest() {
        super("akka1", "ours-akka");
    }
}
