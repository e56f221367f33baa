package io.dynajournal.internal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueType;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.RetrySettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A block like {@code dynajournal.client}, or the client's part of a predecessor's block.
 *
 * @param path identifies the client: plugins with the same path share it
 * @param isPredecessors whether the block has a predecessor's keys
 * @param embedded whether the endpoint is the embedded server, whose URI is known once it runs
 * @param embeddedDir where the embedded server keeps its tables; null for memory
 * @param settings without an endpoint if {@code embedded}
 * @param groupCommit whether writes that would have to wait are sent together
 */
public record ClientConfig(
        String path,
        boolean isPredecessors,
        boolean embedded,
        @Nullable Path embeddedDir,
        ClientSettings settings,
        RetrySettings retry,
        boolean groupCommit) {

    private static final String TEMPLATE = "dynajournal.client";
    private static final String EMBEDDED = "embedded";

    /** The predecessors' layouts never group writes. */
    static ClientConfig ofPredecessor(String path, boolean embedded, ClientSettings settings, RetrySettings retry) {
        return new ClientConfig(path, true, embedded, null, settings, retry, false);
    }

    /**
     * Reads a block with the keys of {@code dynajournal.client}.
     *
     * @param root all settings of the actor system
     * @throws SettingsException if a setting is wrong
     */
    public static ClientConfig of(Config root, String path) {
        if (!root.hasPath(path)) {
            throw new SettingsException(
                    "There is no block " + path + " for a client. Create one with " + path + " = ${" + TEMPLATE + "}.");
        }
        Block block = Block.ofNative(root.getConfig(path), path, TEMPLATE);
        String endpoint = block.optionalText("endpoint");
        boolean embedded = EMBEDDED.equals(endpoint);
        String dir = block.optionalText("embedded.dir");
        if (dir != null && !embedded) {
            throw block.wrong("embedded.dir", "nothing, because endpoint is not \"embedded\"");
        }
        ClientConfig config = block.checked(() -> new ClientConfig(
                path,
                false,
                embedded,
                dir == null ? null : Path.of(dir),
                settings(block, endpoint == null || embedded ? null : uri(block, endpoint)),
                new RetrySettings(
                        block.duration("call-timeout"),
                        block.duration("call-attempt-timeout"),
                        block.duration("retry.base-delay"),
                        block.duration("retry.max-delay")),
                block.flag("group-commit")));
        UnknownKeys.reject(block, ConfigFactory.empty());
        config.checkAcquisitionTimeout();
        return config;
    }

    /**
     * Checks that a client of the application may be passed for this path: a block of ours, or of a predecessor.
     *
     * @throws SettingsException if there is no such block
     */
    public static void checkPath(Config root, String path) {
        boolean predecessors = root.hasPath(path)
                && root.getValue(path).valueType() == ConfigValueType.OBJECT
                && !root.hasPath(path + ".credentials");
        if (!predecessors) {
            of(root, path);
        }
    }

    private static URI uri(Block block, String endpoint) {
        if (!endpoint.contains("://") && Spelling.nearest(endpoint, Set.of(EMBEDDED)) != null) {
            throw block.wrong("endpoint", "a URL or nothing. Did you mean \"" + EMBEDDED + "\"?");
        }
        return URI.create(endpoint);
    }

    private static ClientSettings settings(Block block, @Nullable URI endpoint) {
        return new ClientSettings(
                block.optionalText("region"),
                endpoint,
                Credentials.source(block),
                block.flag("allow-plain-http"),
                block.count("http.max-concurrency"),
                block.duration("http.connection-timeout"),
                block.duration("http.connection-acquisition-timeout"),
                block.duration("http.connection-max-idle-time"),
                block.flag("flow-control"),
                ClientSettings.Tuning.of(
                        block.choice("http.client", List.of(ClientSettings.HttpClientChoice.values())),
                        block.flag("direct")));
    }

    /** These settings with the endpoint of the running embedded server. */
    public ClientSettings settingsAt(URI endpoint) {
        return settings.at(endpoint);
    }

    /** A request that waits for a connection must fail before its attempt does; later nobody waits for the reply. */
    private void checkAcquisitionTimeout() {
        Duration acquisition = settings.connectionAcquisitionTimeout();
        if (acquisition.compareTo(retry.callAttemptTimeout()) >= 0) {
            throw SettingsException.of(
                    path + ".http.connection-acquisition-timeout",
                    acquisition.toMillis() + " ms",
                    "less than " + path + ".call-attempt-timeout, which is "
                            + retry.callAttemptTimeout().toMillis() + " ms");
        }
    }

    /**
     * Checks that the toolkit does not report a write as failed while it is still being retried.
     *
     * @throws SettingsException if the call timeout is not below the plugin's circuit breaker
     */
    public void checkBelow(Duration circuitBreaker, String pluginPath) {
        if (retry.callTimeout().compareTo(circuitBreaker) >= 0) {
            throw SettingsException.of(
                    path + ".call-timeout",
                    retry.callTimeout().toMillis() + " ms",
                    "less than " + pluginPath + ".circuit-breaker.call-timeout, which is " + circuitBreaker.toMillis()
                            + " ms: otherwise the toolkit reports a write as failed while it is still being retried");
        }
    }
}
