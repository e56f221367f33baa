package io.dynajournal.interop;

/** akka-persistence-dynamodb 1.3.0 on Akka 2.5. */
final class Akka1UnusualInteropTest extends V1UnusualInteropTests {

    Akka1UnusualInteropTest() {
        super("akka1", "ours-akka");
    }
}
