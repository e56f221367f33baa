package io.dynajournal.dynamo;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a DynamoDB client is made of.
 *
 * @param region null to ask the SDK's chain
 * @param endpoint null for the region's own
 * @param allowPlainHttp whether an endpoint off this machine may be without TLS
 * @param tuning what few need to set
 */
public record ClientSettings(
        @Nullable String region,
        @Nullable URI endpoint,
        CredentialSource credentials,
        boolean allowPlainHttp,
        int maxConnections,
        Duration connectTimeout,
        Duration acquireTimeout,
        Duration idleTimeout,
        Tuning tuning) {

    // The service's own hosts carry the region: dynamodb.eu-west-1.amazonaws.com,
    // 123456789012.ddb.eu-west-1.amazonaws.com
    // and their like.
    private static final Pattern REGION = Pattern.compile(
            "(?:.*\\.)?(?:streams\\.)?(?:dynamodb|dynamodb-fips|ddb)\\.([a-z0-9-]+)\\.(?:vpce\\.)?(?:amazonaws|api\\.aws).*");

    /** What carries the requests. */
    public enum Carrier {
        /** The AWS CRT where it is on the class path and can be loaded, and no finer setting is Netty's; else Netty. */
        AUTO,
        CRT,
        NETTY
    }

    /**
     * Finer settings of the connections.
     *
     * @param carrier only {@code AUTO} and {@code NETTY} know the other settings
     * @param maxPending how many requests may wait for a connection
     * @param timeToLive after which time a connection is replaced; null for never
     * @param tlsNegotiation how long TLS may take to be agreed on; null for the SDK's default
     * @param read how long nothing may come; null for the SDK's default
     * @param write how long nothing may go; null for the SDK's default
     * @param reaper whether idle connections are closed
     * @param proxy null for what the system properties say
     * @param direct whether the requests that come most often pass by the SDK's pipeline
     */
    public record Tuning(
            Carrier carrier,
            int maxPending,
            @Nullable Duration timeToLive,
            @Nullable Duration tlsNegotiation,
            @Nullable Duration read,
            @Nullable Duration write,
            boolean keepAlive,
            boolean reaper,
            @Nullable Proxy proxy,
            boolean direct) {

        // Requests beyond the pool wait for a connection up to the acquire time-out; their number is bounded by the
        // entities that wait for them.
        public static final Tuning DEFAULTS =
                new Tuning(Carrier.AUTO, Integer.MAX_VALUE, null, null, null, null, false, true, null, true);

        /** Without finer settings. */
        public static Tuning of(Carrier carrier, boolean direct) {
            return new Tuning(
                    carrier,
                    DEFAULTS.maxPending,
                    DEFAULTS.timeToLive,
                    DEFAULTS.tlsNegotiation,
                    DEFAULTS.read,
                    DEFAULTS.write,
                    DEFAULTS.keepAlive,
                    DEFAULTS.reaper,
                    DEFAULTS.proxy,
                    direct);
        }

        boolean isDefault() {
            return equals(of(carrier, direct));
        }

        public Tuning {
            if (maxPending < 1) {
                throw new IllegalArgumentException(
                        "the number of waiting requests must be 1 or more, not " + maxPending);
            }
        }
    }

    /** A proxy between us and the service; its password is never printed. */
    public record Proxy(
            String host,
            int port,
            @Nullable String user,
            @Nullable String password) {
        @Override
        public String toString() {
            return "Proxy[" + host + ":" + port + "]";
        }
    }

    /** Without finer settings. */
    public ClientSettings(
            @Nullable String region,
            @Nullable URI endpoint,
            CredentialSource credentials,
            boolean allowPlainHttp,
            int maxConnections,
            Duration connectTimeout,
            Duration acquireTimeout,
            Duration idleTimeout) {
        this(
                region,
                endpoint,
                credentials,
                allowPlainHttp,
                maxConnections,
                connectTimeout,
                acquireTimeout,
                idleTimeout,
                Tuning.DEFAULTS);
    }

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

    /** The region that was set, or that the endpoint's name tells; null to ask the SDK's chain. */
    @Nullable
    String effectiveRegion() {
        if (region != null || endpoint == null) {
            return region;
        }
        Matcher host = REGION.matcher(endpoint.getHost().toLowerCase(Locale.ROOT));
        return host.matches() ? host.group(1) : null;
    }

    /** The same settings for another endpoint. */
    public ClientSettings at(URI other) {
        return new ClientSettings(
                region,
                other,
                credentials,
                allowPlainHttp,
                maxConnections,
                connectTimeout,
                acquireTimeout,
                idleTimeout,
                tuning);
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

    /** Whether an endpoint is on this machine. */
    public static boolean isLoopback(URI endpoint) {
        String host = endpoint.getHost();
        return host != null && (host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]"));
    }
}
