package io.dynajournal.internal.store;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Looks for what may be wrong with one log. Changes nothing. What a write in flight causes may be among the findings; a second
 * check some time later does not find it again. Thread-safe.
 */
public interface LogCheck {

    CompletionStage<List<Finding>> check(String persistenceId);
}
