package io.dynajournal.cli.run;

import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import java.util.concurrent.atomic.DoubleAdder;

/** The capacity units that requests have consumed. Thread-safe. */
final class CapacityMeter implements RequestListener {

    private final DoubleAdder read = new DoubleAdder();
    private final DoubleAdder written = new DoubleAdder();

    @Override
    public void onRequest(RequestEvent event) {
        double units = event.capacity().total();
        switch (event.operation()) {
            case QUERY, SCAN, BATCH_GET -> read.add(units);
            default -> written.add(units);
        }
    }

    double read() {
        return read.sum();
    }

    double written() {
        return written.sum();
    }
}
