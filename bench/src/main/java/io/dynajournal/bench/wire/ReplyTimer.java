package io.dynajournal.bench.wire;

import io.dynajournal.bench.wire.HttpServerLoop.Connection;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;

/** Sends replies when they are due. One thread for all of them, so requests overlap freely. Thread-safe. */
final class ReplyTimer implements AutoCloseable {

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Reply(long dueNanos, byte[] bytes, Connection connection) {}

    private static final long IDLE_NANOS = 1_000_000_000;

    private final PriorityQueue<Reply> replies =
            new PriorityQueue<>((a, b) -> Long.compare(a.dueNanos() - b.dueNanos(), 0));
    private final Thread thread = new Thread(this::run, "cloud-replies");
    private volatile boolean closed;

    private ReplyTimer() {}

    static ReplyTimer start() {
        ReplyTimer timer = new ReplyTimer();
        timer.thread.setDaemon(true);
        timer.thread.start();
        return timer;
    }

    void schedule(long dueNanos, byte[] bytes, Connection connection) {
        boolean isNext;
        synchronized (replies) {
            Reply next = replies.peek();
            isNext = next == null || dueNanos - next.dueNanos() < 0;
            replies.add(new Reply(dueNanos, bytes, connection));
        }
        if (isNext) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!closed) {
            long now = System.nanoTime();
            Reply due = null;
            long wait = IDLE_NANOS;
            synchronized (replies) {
                Reply next = replies.peek();
                if (next != null) {
                    wait = next.dueNanos() - now;
                    due = wait <= 0 ? replies.poll() : null;
                }
            }
            if (due != null) {
                due.connection().reply(due.bytes());
            } else {
                LockSupport.parkNanos(this, wait);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
