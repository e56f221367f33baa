package io.dynajournal.internal.dynamo;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.ProxyConfiguration;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.utils.ThreadFactoryBuilder;

/** Chooses and builds the HTTP client: the AWS CRT, which needs less CPU, or Netty. */
final class HttpClients {

    private static final Logger log = LoggerFactory.getLogger(HttpClients.class);
    /** Lets the closing connections report to their event loop; nobody waits for it. */
    private static final long QUIET_MILLIS = 200;

    private static final long CLOSE_MILLIS = 5000;

    private HttpClients() {}

    /** The caller closes it. */
    static SdkAsyncHttpClient open(ClientSettings settings) {
        return switch (settings.tuning().httpClient()) {
            case NETTY -> netty(settings);
            case CRT -> {
                try {
                    yield Crt.open(settings);
                } catch (Throwable t) {
                    throw new IllegalArgumentException(
                            "http.client = crt cannot be used here (" + t + "); it needs"
                                    + " software.amazon.awssdk:aws-crt-client on the class path and a machine that its"
                                    + " native library runs on. Use http.client = netty",
                            t);
                }
            }
            case AUTO -> settings.tuning().isDefault() ? crtOrNetty(settings) : netty(settings);
        };
    }

    /** Only building a client shows whether the CRT works: its native library may be missing, or made for other machines. */
    private static SdkAsyncHttpClient crtOrNetty(ClientSettings settings) {
        try {
            return Crt.open(settings);
        } catch (Throwable t) {
            log.info("The AWS CRT is missing or cannot be used here; Netty is used instead: {}", t.toString());
        }
        return netty(settings);
    }

    private static SdkAsyncHttpClient netty(ClientSettings settings) {
        ClientSettings.Tuning tuning = settings.tuning();
        EventLoopGroup eventLoop = new NioEventLoopGroup(
                0,
                new ThreadFactoryBuilder()
                        .threadNamePrefix("dynajournal-netty")
                        .daemonThreads(true)
                        .build());
        NettyNioAsyncHttpClient.Builder http = NettyNioAsyncHttpClient.builder()
                .eventLoopGroup(SdkEventLoopGroup.create(eventLoop))
                .maxConcurrency(settings.maxConcurrency())
                .maxPendingConnectionAcquires(tuning.maxPending())
                .connectionTimeout(settings.connectTimeout())
                .connectionAcquisitionTimeout(settings.connectionAcquisitionTimeout())
                .connectionMaxIdleTime(settings.idleTimeout())
                .tcpKeepAlive(tuning.keepAlive())
                .useIdleConnectionReaper(tuning.reaper());
        set(tuning.timeToLive(), http::connectionTimeToLive);
        set(tuning.tlsNegotiation(), http::tlsNegotiationTimeout);
        set(tuning.read(), http::readTimeout);
        set(tuning.write(), http::writeTimeout);
        ClientSettings.Proxy proxy = tuning.proxy();
        if (proxy != null) {
            ProxyConfiguration.Builder through =
                    ProxyConfiguration.builder().host(proxy.host()).port(proxy.port());
            set(proxy.user(), through::username);
            set(proxy.password(), through::password);
            http.proxyConfiguration(through.build());
        }
        return new Netty(http.build(), eventLoop);
    }

    private static <T> void set(@Nullable T value, Consumer<T> setter) {
        if (value != null) {
            setter.accept(value);
        }
    }

    /** Netty with an event loop of its own, so that closing it need not wait for the two quiet seconds of the SDK's. */
    private record Netty(SdkAsyncHttpClient http, EventLoopGroup eventLoop) implements SdkAsyncHttpClient {

        @Override
        public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
            return http.execute(request);
        }

        @Override
        public String clientName() {
            return http.clientName();
        }

        @Override
        public void close() {
            http.close();
            eventLoop.shutdownGracefully(QUIET_MILLIS, CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** A class of its own, so that the CRT's classes are loaded only here. */
    private static final class Crt {

        private Crt() {}

        static SdkAsyncHttpClient open(ClientSettings settings) {
            return new GuardedHttpClient(AwsCrtAsyncHttpClient.builder()
                    .maxConcurrency(settings.maxConcurrency())
                    .connectionTimeout(settings.connectTimeout())
                    .connectionAcquisitionTimeout(settings.connectionAcquisitionTimeout())
                    .connectionMaxIdleTime(settings.idleTimeout())
                    .build());
        }
    }
}
