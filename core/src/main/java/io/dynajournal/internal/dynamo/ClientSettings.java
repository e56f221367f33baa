package io.dynajournal.internal.dynamo;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a DynamoDB client.
 *
 * @param region null for the one that the SDK finds in its environment
 * @param endpoint null for the region's own
 * @param allowPlainHttp whether an endpoint on another machine may be without TLS
 * @param maxConcurrency maximum number of requests in flight, which is the size of the connection pool
 * @param connectionAcquisitionTimeout how long a request may wait for a connection; shorter than an attempt may take
 * @param flowControl whether a table that throttles gets fewer requests
 * @param tuning settings that few need
 */
public record ClientSettings(
        @Nullable String region,
        @Nullable URI endpoint,
        CredentialSource credentials,
        boolean allowPlainHttp,
        int maxConcurrency,
        Duration connectTimeout,
        Duration connectionAcquisitionTimeout,
        Duration idleTimeout,
        boolean flowControl,
        Tuning tuning) {

    // DynamoDB's host names contain the region: dynamodb.eu-west-1.amazonaws.com,
    // 123456789012.ddb.eu-west-1.amazonaws.com.
    private static final Pattern REGION = Pattern.compile(
            "(?:.*\\.)?(?:streams\\.)?(?:dynamodb|dynamodb-fips|ddb)\\.([a-z0-9-]+)\\.(?:vpce\\.)?(?:amazonaws|api\\.aws).*");

    /** The HTTP client that sends the requests. */
    public enum HttpClientChoice {
        /** The AWS CRT if it is on the class path, can be loaded and knows all settings; otherwise Netty. */
        AUTO,
        CRT,
        NETTY
    }

    /**
     * Settings of the connections. All but the first and the last are Netty's.
     *
     * @param maxPending maximum number of requests that wait for a connection
     * @param timeToLive age at which a connection is replaced; null for never
     * @param tlsNegotiation timeout of the TLS handshake; null for the SDK's default
     * @param read timeout of a read from the connection; null for the SDK's default
     * @param write timeout of a write to the connection; null for the SDK's default
     * @param reaper whether idle connections are closed
     * @param proxy null for the one of the system properties
     * @param direct whether the most frequent requests bypass the SDK's pipeline; needs the module
     *     {@code dynajournal-direct}
     */
    public record Tuning(
            HttpClientChoice httpClient,
            int maxPending,
            @Nullable Duration timeToLive,
            @Nullable Duration tlsNegotiation,
            @Nullable Duration read,
            @Nullable Duration write,
            boolean keepAlive,
            boolean reaper,
            @Nullable Proxy proxy,
            boolean direct) {

        // The number of waiting requests is bounded by the entities that wait for their replies.
        public static final Tuning DEFAULTS =
                new Tuning(HttpClientChoice.AUTO, Integer.MAX_VALUE, null, null, null, null, false, true, null, false);

        /** The defaults of the other settings. */
        public static Tuning of(HttpClientChoice httpClient, boolean direct) {
            return new Tuning(
                    httpClient,
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
            return equals(of(httpClient, direct));
        }

        public Tuning {
            if (maxPending < 1) {
                throw new IllegalArgumentException(
                        "the maximum number of pending requests must be 1 or more, not " + maxPending);
            }
        }
    }

    /** An HTTP proxy; its password is never printed. */
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

    /** With flow control and the default tuning. */
    public ClientSettings(
            @Nullable String region,
            @Nullable URI endpoint,
            CredentialSource credentials,
            boolean allowPlainHttp,
            int maxConcurrency,
            Duration connectTimeout,
            Duration connectionAcquisitionTimeout,
            Duration idleTimeout) {
        this(
                region,
                endpoint,
                credentials,
                allowPlainHttp,
                maxConcurrency,
                connectTimeout,
                connectionAcquisitionTimeout,
                idleTimeout,
                true,
                Tuning.DEFAULTS);
    }

    /** The defaults of all settings but the endpoint. */
    public static ClientSettings forEndpoint(@Nullable URI endpoint) {
        return new ClientSettings(
                null,
                endpoint,
                CredentialSource.defaultChain(),
                false,
                50,
                Duration.ofSeconds(2),
                Duration.ofSeconds(2),
                Duration.ofSeconds(60));
    }

    public ClientSettings {
        if (maxConcurrency < 1) {
            throw new IllegalArgumentException("http.max-concurrency must be 1 or more, not " + maxConcurrency);
        }
        if (endpoint != null) {
            checkEndpoint(endpoint, allowPlainHttp);
        }
    }

    /** Whether the endpoint is on this machine, like DynamoDB Local: it needs no real credentials, and any region will do. */
    public boolean isLoopback() {
        return endpoint != null && isLoopback(endpoint);
    }

    /** The region that is set, or that the host name of the endpoint contains; null if neither. */
    @Nullable
    String effectiveRegion() {
        if (region != null || endpoint == null) {
            return region;
        }
        Matcher host = REGION.matcher(endpoint.getHost().toLowerCase(Locale.ROOT));
        return host.matches() ? host.group(1) : null;
    }

    /** These settings with another endpoint. */
    public ClientSettings at(URI other) {
        return new ClientSettings(
                region,
                other,
                credentials,
                allowPlainHttp,
                maxConcurrency,
                connectTimeout,
                connectionAcquisitionTimeout,
                idleTimeout,
                flowControl,
                tuning);
    }

    /** These settings with another size of the connection pool. */
    public ClientSettings withMaxConcurrency(int requests) {
        return new ClientSettings(
                region,
                endpoint,
                credentials,
                allowPlainHttp,
                requests,
                connectTimeout,
                connectionAcquisitionTimeout,
                idleTimeout,
                flowControl,
                tuning);
    }

    /** These settings with flow control or without. */
    public ClientSettings withFlowControl(boolean on) {
        return new ClientSettings(
                region,
                endpoint,
                credentials,
                allowPlainHttp,
                maxConcurrency,
                connectTimeout,
                connectionAcquisitionTimeout,
                idleTimeout,
                on,
                tuning);
    }

    /** These settings with other tuning. */
    public ClientSettings withTuning(Tuning other) {
        return new ClientSettings(
                region,
                endpoint,
                credentials,
                allowPlainHttp,
                maxConcurrency,
                connectTimeout,
                connectionAcquisitionTimeout,
                idleTimeout,
                flowControl,
                other);
    }

    /** The options of the AWS command line that choose this endpoint and region, each after a blank. */
    public String awsOptions() {
        return (endpoint == null ? "" : " --endpoint-url " + endpoint) + (region == null ? "" : " --region " + region);
    }

    /** The endpoint for messages: the address if one is set, otherwise the region. */
    String endpointName() {
        return endpoint != null
                ? endpoint.toString()
                : "DynamoDB in " + (region == null ? "the default region" : region);
    }

    private static void checkEndpoint(URI endpoint, boolean allowPlainHttp) {
        if (endpoint.getUserInfo() != null) {
            throw new IllegalArgumentException("endpoint must not contain a user or password; use credentials");
        }
        String scheme = endpoint.getScheme() == null ? "" : endpoint.getScheme().toLowerCase(Locale.ROOT);
        if (endpoint.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
            throw new IllegalArgumentException("endpoint must be like https://host[:port], not \"" + endpoint + "\"");
        }
        if (scheme.equals("http") && !allowPlainHttp && !isLoopback(endpoint)) {
            throw new IllegalArgumentException("endpoint " + endpoint
                    + " is without TLS and not on this machine; use https, or set allow-plain-http = on");
        }
    }

    /** Whether an endpoint is on this machine. */
    public static boolean isLoopback(URI endpoint) {
        String host = endpoint.getHost();
        return host != null && (host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]"));
    }
}
