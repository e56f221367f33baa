package io.dynajournal.local;

/** A JVM that starts a server, prints the server's process id and waits for its own end. */
final class ParentMain {

    private ParentMain() {}

    public static void main(String[] args) throws InterruptedException {
        DynamoLocal server = DynamoLocal.inMemory();
        System.out.println(server.pid());
        Thread.currentThread().join();
    }
}
