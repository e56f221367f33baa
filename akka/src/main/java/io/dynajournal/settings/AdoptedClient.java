package io.dynajournal.settings;

import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.dynamo.CredentialSource;
import io.dynajournal.dynamo.RetrySettings;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the predecessors' settings of clients have in common. */
final class AdoptedClient {

    private static final ClientSettings DEFAULTS = ClientSettings.forEndpoint(null);

    private AdoptedClient() {}

    /** Where requests go: nowhere in particular if both are unset. */
    record Endpoint(@Nullable URI uri, boolean embedded) {}

    /** Both keys, or neither for the SDK's chain. */
    static CredentialSource credentials(AdoptedBlock block, String idKey, String secretKey) {
        String id = block.secret(idKey);
        String secret = block.secret(secretKey);
        if (id == null && secret == null) {
            return new CredentialSource.DefaultChain();
        }
        if (id == null) {
            throw block.wrong(idKey, "the id of the key, because " + secretKey + " is set");
        }
        if (secret == null) {
            throw block.wrong(secretKey, "the secret of the key, because " + idKey + " is set");
        }
        return new CredentialSource.Keys(id, secret, null);
    }

    /**
     * The predecessors let requests go without TLS wherever the endpoint says so. A configuration of theirs goes on
     * working; it is remarked on. {@code embedded} is ours.
     *
     * @param protocol for an endpoint without one
     */
    static Endpoint endpoint(AdoptedBlock block, String key, @Nullable String endpoint, String protocol) {
        if (endpoint == null || endpoint.equals("embedded")) {
            return new Endpoint(null, endpoint != null);
        }
        URI uri = block.refusing(() -> URI.create(endpoint.contains("://") ? endpoint : protocol + "://" + endpoint));
        if (!"https".equals(uri.getScheme()) && !ClientSettings.isLoopback(uri)) {
            block.remark(key, "requests go without TLS, so that all on the way can read and change them");
        }
        return new Endpoint(uri, false);
    }

    /** The time of a request with all its repetitions must stay below the toolkit's patience. */
    static RetrySettings retry(
            AdoptedBlock block,
            @Nullable String callKey,
            @Nullable Duration call,
            @Nullable Duration attempt,
            int maxAttempts,
            Duration circuitBreaker) {
        Duration most = circuitBreaker.multipliedBy(9).dividedBy(10);
        RetrySettings defaults = RetrySettings.DEFAULTS;
        Duration wanted = call == null ? defaults.callTimeout() : call;
        Duration whole = least(wanted, most);
        if (callKey != null && call != null && whole.compareTo(call) < 0) {
            block.remark(
                    callKey,
                    whole.toMillis() + " ms instead of " + call.toMillis()
                            + " ms, to stay below circuit-breaker.call-timeout, at which the toolkit gives up");
        }
        return block.refusing(() -> new RetrySettings(
                whole,
                least(attempt == null ? defaults.attemptTimeout() : attempt, whole),
                defaults.baseDelay(),
                defaults.maxDelay(),
                maxAttempts));
    }

    static Duration connectTimeout() {
        return DEFAULTS.connectTimeout();
    }

    static Duration acquireTimeout() {
        return DEFAULTS.acquireTimeout();
    }

    static Duration idleTimeout() {
        return DEFAULTS.idleTimeout();
    }

    static int maxConnections() {
        return DEFAULTS.maxConnections();
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
