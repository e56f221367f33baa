package io.dynajournal;

import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Throws or blocks, as the state asks for. */
public final class BadColumns implements StateColumns<Object> {

    /** Ends the calls that block. */
    static final CountDownLatch RELEASE = new CountDownLatch(1);

    @Override
    public Map<String, Object> columns(String persistenceId, Object state) {
        if (state.equals("throw")) {
            throw new IllegalArgumentException("secret of the state");
        }
        if (state.equals("block")) {
            try {
                RELEASE.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return Map.of();
    }
}
