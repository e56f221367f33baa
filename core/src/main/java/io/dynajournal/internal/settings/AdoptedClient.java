package io.dynajournal.internal.settings;

import com.typesafe.config.ConfigException;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.CredentialSource;
import io.dynajournal.internal.dynamo.RetrySettings;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the predecessors' client settings have in common. */
final class AdoptedClient {

    private static final ClientSettings DEFAULTS = ClientSettings.forEndpoint(null);
    private static final String CIRCUIT_BREAKER = "circuit-breaker.call-timeout";

    private AdoptedClient() {}

    /** @param uri null for the region's own endpoint, or for the embedded server */
    record Endpoint(@Nullable URI uri, boolean embedded) {}

    /** The time after which the toolkit reports a request as failed. */
    static Duration circuitBreaker(PluginBlock plugin) {
        try {
            return plugin.config().getDuration(CIRCUIT_BREAKER);
        } catch (ConfigException e) {
            throw SettingsException.of(
                    plugin.path() + "." + CIRCUIT_BREAKER, "no usable value", "a time, such as 10 s");
        }
    }

    /** Both keys, or neither for the SDK's chain. */
    static CredentialSource credentials(Block block, String idKey, String secretKey) {
        String id = block.secret(idKey);
        String secret = block.secret(secretKey);
        if (id == null && secret == null) {
            return CredentialSource.defaultChain();
        }
        if (id == null) {
            throw block.wrong(idKey, "the id of the key, because " + secretKey + " is set");
        }
        if (secret == null) {
            throw block.wrong(secretKey, "the secret of the key, because " + idKey + " is set");
        }
        return CredentialSource.keys(id, secret, null);
    }

    /**
     * The predecessors send requests without TLS if the endpoint asks for it. Such a configuration keeps working, with a
     * warning. The value {@code embedded} is ours.
     *
     * @param protocol for an endpoint that has none
     */
    static Endpoint endpoint(Block block, String key, @Nullable String endpoint, String protocol) {
        if (endpoint == null || endpoint.equals("embedded")) {
            return new Endpoint(null, endpoint != null);
        }
        URI uri = block.checked(() -> URI.create(endpoint.contains("://") ? endpoint : protocol + "://" + endpoint));
        if (!"https".equals(uri.getScheme()) && !ClientSettings.isLoopback(uri)) {
            block.warn(key, "requests are sent without TLS: anybody on the network path can read and change them");
        }
        return new Endpoint(uri, false);
    }

    /** Keeps the timeout of a request with its retries below the toolkit's circuit breaker. */
    static RetrySettings retry(
            Block block,
            String callKey,
            @Nullable Duration callTimeout,
            @Nullable Duration attemptTimeout,
            int maxAttempts,
            Duration circuitBreaker) {
        Duration limit = circuitBreaker.multipliedBy(9).dividedBy(10);
        RetrySettings defaults = RetrySettings.DEFAULTS;
        Duration call = shorter(callTimeout == null ? defaults.callTimeout() : callTimeout, limit);
        if (callTimeout != null && call.compareTo(callTimeout) < 0) {
            block.warn(
                    callKey,
                    call.toMillis() + " ms instead of " + callTimeout.toMillis()
                            + " ms, to stay below circuit-breaker.call-timeout, after which the toolkit reports a failure");
        }
        return block.checked(() -> new RetrySettings(
                call,
                shorter(attemptTimeout == null ? defaults.callAttemptTimeout() : attemptTimeout, call),
                defaults.baseDelay(),
                defaults.maxDelay(),
                maxAttempts));
    }

    /** Keeps the wait for a connection below the timeout of an attempt: later nobody waits for the reply any more. */
    static Duration acquisitionTimeout(RetrySettings retry, Duration wanted) {
        return shorter(wanted, retry.callAttemptTimeout().multipliedBy(8).dividedBy(10));
    }

    static Duration acquisitionTimeout() {
        return DEFAULTS.connectionAcquisitionTimeout();
    }

    static Duration connectTimeout() {
        return DEFAULTS.connectTimeout();
    }

    static Duration idleTimeout() {
        return DEFAULTS.idleTimeout();
    }

    static int maxConcurrency() {
        return DEFAULTS.maxConcurrency();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
