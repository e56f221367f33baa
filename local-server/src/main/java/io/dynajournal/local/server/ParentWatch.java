package io.dynajournal.local.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;

/**
 * Ends this JVM when its parent process ends. The parent holds the other end of standard input and never writes to it; the
 * operating system closes it with the parent, even if the parent is killed.
 */
final class ParentWatch {

    private static final long EXIT_TIMEOUT_MILLIS = 5000;

    private final InputStream parent;
    private final CountDownLatch gone = new CountDownLatch(1);

    private ParentWatch(InputStream parent) {
        this.parent = parent;
    }

    static ParentWatch start(InputStream parent) {
        ParentWatch watch = new ParentWatch(parent);
        Thread thread = new Thread(watch::exitWithParent, "parent-watch");
        thread.setDaemon(true);
        thread.start();
        return watch;
    }

    /**
     * Makes signals wait for the end of the parent. A terminal sends Ctrl-C to both processes, and the parent may need the
     * server until it has shut down. The server's threads continue while a shutdown hook runs.
     */
    void outliveSignals() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::awaitParentsEnd, "await-parent"));
    }

    private void exitWithParent() {
        try {
            while (parent.read() >= 0) {}
        } catch (IOException e) {
            System.err.println("Cannot watch the parent process any more: " + e);
        }
        gone.countDown();
        exit();
    }

    /** Exits, which removes the unpacked native library; halts if shutdown hooks take too long. */
    private static void exit() {
        Thread exit = new Thread(() -> System.exit(0), "exit");
        exit.start();
        try {
            exit.join(EXIT_TIMEOUT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(0);
    }

    private void awaitParentsEnd() {
        try {
            gone.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
