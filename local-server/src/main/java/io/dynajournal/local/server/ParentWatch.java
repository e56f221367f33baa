package io.dynajournal.local.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;

/**
 * Ends this JVM when its parent is gone. The parent holds the other end of the standard input and never writes to it; the
 * kernel closes it with the parent, also when the parent is killed without a chance to clean up.
 */
final class ParentWatch {

    private static final long EXIT_MILLIS = 5000;

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
     * From here on a signal does not end this JVM before its parent. A terminal sends Ctrl-C to both at once, while the
     * parent still needs the server to shut down in good order. The server's threads go on while a shutdown hook runs.
     */
    void outliveSignals() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::awaitParentsEnd, "await-parent"));
    }

    private void exitWithParent() {
        try {
            while (parent.read() >= 0) {}
        } catch (IOException e) {
            System.err.println("The parent cannot be watched any more: " + e);
        }
        gone.countDown();
        exit();
    }

    /** An exit, because it removes the unpacked native library; but no hook may hold it up for long. */
    private static void exit() {
        Thread exit = new Thread(() -> System.exit(0), "exit");
        exit.start();
        try {
            exit.join(EXIT_MILLIS);
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
