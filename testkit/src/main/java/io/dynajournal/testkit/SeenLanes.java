package io.dynajournal.testkit;

import io.dynajournal.listener.Lane;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import java.util.Set;
import java.util.TreeSet;

/** The lanes that requests had. Thread-safe. */
public final class SeenLanes implements RequestListener {

    private final Set<Lane> lanes = new TreeSet<>();

    @Override
    public synchronized void onRequest(RequestEvent event) {
        lanes.add(event.lane());
    }

    /** The lanes since the last call. */
    public synchronized Set<Lane> take() {
        Set<Lane> taken = new TreeSet<>(lanes);
        lanes.clear();
        return taken;
    }
}
