package io.dynajournal.testkit.commits;

import io.dynajournal.internal.dynamo.RetrySettings;
import java.time.Duration;

/** How the tests of this package retry. */
final class Retries {

    /** Gives up after two attempts, however slow the machine is: no timeout takes part in it. */
    static final RetrySettings TWO_ATTEMPTS = new RetrySettings(
            Duration.ofSeconds(60), Duration.ofSeconds(30), Duration.ofMillis(5), Duration.ofMillis(10), 2);

    private Retries() {}
}
