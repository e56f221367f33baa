package io.dynajournal.listener;

/**
 * Receives an event for every request to DynamoDB, for metrics. Give one to {@code DynajournalSetup}. It is called on the client's
 * threads, concurrently: an implementation must be thread-safe and must not block. What it throws is logged once and has no effect
 * on the request.
 *
 * <p>With a listener every request asks DynamoDB for its consumed capacity, which makes each answer about 100 bytes longer.
 */
public interface RequestListener {

    /** Listens to nothing; no consumed capacity is requested. */
    RequestListener NONE = new RequestListener() {};

    /** A request has ended. It is called before the caller of the request learns of it. */
    default void onRequest(RequestEvent event) {}

    /** An attempt has failed and will be retried. */
    default void onRetry(RetryEvent event) {}
}
