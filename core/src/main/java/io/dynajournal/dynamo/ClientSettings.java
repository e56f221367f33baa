package io.dynajournal.dynamo;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a DynamoDB client is made of.
 *
 * @param region null to ask the SDK's chain
 * @param endpoint null for the region's own
 * @param allowPlainHttp whether an endpoint off this machine may be without TLS
 */
public record ClientSettings(
        @Nullable String region,
        @Nullable URI endpoint,
        CredentialSource credentials,
        boolean allowPlainHttp,
        int maxConnections,
        Duration connectTimeout,
        Duration acquireTimeout,
        Duration idleTimeout) {

    /** What the other defaults are for an endpoint. */
    public static ClientSettings forEndpoint(@Nullable URI endpoint) {
        return new ClientSettings(
                null,
                endpoint,
                new CredentialSource.DefaultChain(),
                false,
                50,
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(60));
    }

    public ClientSettings {
        if (maxConnections < 1) {
            throw new IllegalArgumentException("max-connections must be 1 or more, not " + maxConnections);
        }
        if (endpoint != null) {
            checkEndpoint(endpoint, allowPlainHttp);
        }
    }

    /** DynamoDB Local and its like: no real credentials are needed there, and any region does. */
    public boolean isLoopback() {
        return endpoint != null && isLoopback(endpoint);
    }

    private static void checkEndpoint(URI endpoint, boolean allowPlainHttp) {
        if (endpoint.getUserInfo() != null) {
            throw new IllegalArgumentException("endpoint must not hold a user or password; use credentials");
        }
        String scheme = endpoint.getScheme() == null ? "" : endpoint.getScheme().toLowerCase(Locale.ROOT);
        if (endpoint.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
            throw new IllegalArgumentException("endpoint must be like https://host[:port], not \"" + endpoint + "\"");
        }
        if (scheme.equals("http") && !allowPlainHttp && !isLoopback(endpoint)) {
            throw new IllegalArgumentException("endpoint " + endpoint
                    + " is without TLS and not on this machine; use https, or allow it with allow-plain-http = on");
        }
    }

    private static boolean isLoopback(URI endpoint) {
        String host = endpoint.getHost();
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }
}
