package io.dynajournal.dynamo;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.ProxyConfiguration;

/** Chooses and makes what carries the requests: AWS's own CRT, which needs less CPU, or Netty. */
final class HttpClients {

    private static final Logger log = LoggerFactory.getLogger(HttpClients.class);

    private HttpClients() {}

    static SdkAsyncHttpClient.Builder<?> builder(ClientSettings settings) {
        return switch (settings.tuning().carrier()) {
            case NETTY -> netty(settings);
            case CRT -> {
                if (!hasCrt()) {
                    throw new IllegalArgumentException(
                            "http-client = crt needs software.amazon.awssdk:aws-crt-client on the class path, and a"
                                    + " machine that its library runs on");
                }
                yield Crt.builder(settings);
            }
            // The finer settings are Netty's; CRT has but some of them.
            case AUTO -> settings.tuning().isDefault() && hasCrt() ? Crt.builder(settings) : netty(settings);
        };
    }

    /** The library is native: it may be missing, made for other machines, or not allowed to be unpacked. */
    private static boolean hasCrt() {
        ClassLoader loader = HttpClients.class.getClassLoader();
        try {
            Class.forName("software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient", false, loader);
            Class.forName("software.amazon.awssdk.crt.CRT", true, loader);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        } catch (LinkageError e) {
            log.info("The AWS CRT cannot be loaded here", e);
            return false;
        }
    }

    private static NettyNioAsyncHttpClient.Builder netty(ClientSettings settings) {
        ClientSettings.Tuning tuning = settings.tuning();
        NettyNioAsyncHttpClient.Builder http = NettyNioAsyncHttpClient.builder()
                .maxConcurrency(settings.maxConnections())
                .maxPendingConnectionAcquires(tuning.maxPending())
                .connectionTimeout(settings.connectTimeout())
                .connectionAcquisitionTimeout(settings.acquireTimeout())
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
        return http;
    }

    private static <T> void set(@Nullable T value, Consumer<T> setter) {
        if (value != null) {
            setter.accept(value);
        }
    }

    /** By itself, so that nothing of the CRT is looked for where it is not. */
    private static final class Crt {

        private Crt() {}

        static AwsCrtAsyncHttpClient.Builder builder(ClientSettings settings) {
            return AwsCrtAsyncHttpClient.builder()
                    .maxConcurrency(settings.maxConnections())
                    .connectionTimeout(settings.connectTimeout())
                    .connectionAcquisitionTimeout(settings.acquireTimeout())
                    .connectionMaxIdleTime(settings.idleTimeout());
        }
    }
}
