package io.dynajournal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueType;
import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.dynamo.RetrySettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A block like {@code dynajournal.client}.
 *
 * @param embedded whether the endpoint is the embedded server's, which is known once it runs
 * @param embeddedDir where it keeps its tables; null for memory
 * @param settings without an endpoint if {@code embedded}
 * @param insertsAtOnce so many requests with commits are on the way, and what is more waits for company; 0 for no groups
 */
public record ClientConfig(
        String path,
        boolean embedded,
        @Nullable Path embeddedDir,
        ClientSettings settings,
        RetrySettings retry,
        int insertsAtOnce) {

    /** Of a predecessor's block: its layouts put items in ways of their own. */
    ClientConfig(
            String path, boolean embedded, @Nullable Path embeddedDir, ClientSettings settings, RetrySettings retry) {
        this(path, embedded, embeddedDir, settings, retry, 0);
    }

    /** Where the defaults are. */
    public static final String TEMPLATE = "dynajournal.client";

    /**
     * Reads the block.
     *
     * @param root all settings
     * @param path where the block is
     * @throws SettingsException if something is wrong with it
     */
    public static ClientConfig of(Config root, String path) {
        if (!root.hasPath(path)) {
            throw new SettingsException(
                    "There is no block " + path + " for a client. Make one with " + path + " = ${" + TEMPLATE + "}.");
        }
        Block block = new Block(root.getConfig(path), path, TEMPLATE);
        String endpoint = block.text("endpoint");
        boolean embedded = endpoint.equals("embedded");
        String dir = block.optionalText("embedded.dir");
        if (dir != null && !embedded) {
            throw block.wrong("embedded.dir", "nothing, because endpoint is not \"embedded\"");
        }
        try {
            ClientConfig config = new ClientConfig(
                    path,
                    embedded,
                    dir == null ? null : Path.of(dir),
                    settings(block, embedded || endpoint.isBlank() ? null : URI.create(endpoint)),
                    new RetrySettings(
                            block.duration("call-timeout"),
                            block.duration("attempt-timeout"),
                            block.duration("retry.base-delay"),
                            block.duration("retry.max-delay")),
                    // With all connections taken requests would wait anyway.
                    block.flag("group-commit") ? block.count("max-connections") : 0);
            block.refuseUnknown(ConfigFactory.empty());
            return config;
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw block.refused(e);
        }
    }

    /** Whether a client of the user's own may stand in for the one of this path: a block of ours, or of a predecessor. */
    public static void checkPath(Config root, String path) {
        boolean adopted = root.hasPath(path)
                && root.getValue(path).valueType() == ConfigValueType.OBJECT
                && !root.hasPath(path + ".credentials");
        if (!adopted) {
            of(root, path);
        }
    }

    private static ClientSettings settings(Block block, @Nullable URI endpoint) {
        return new ClientSettings(
                block.optionalText("region"),
                endpoint,
                Credentials.source(block),
                block.flag("allow-plain-http"),
                block.count("max-connections"),
                block.duration("connect-timeout"),
                block.duration("acquire-timeout"),
                block.duration("idle-timeout"),
                ClientSettings.Tuning.of(
                        block.choice("http-client", List.of(ClientSettings.Carrier.values())),
                        block.flag("direct-requests")));
    }

    /** The same settings for an endpoint that is known by now. */
    public ClientSettings settingsAt(URI endpoint) {
        return settings.at(endpoint);
    }

    /** Refuses a time-out that lets the toolkit give up a write that is still being repeated. */
    public void checkBelow(Duration circuitBreaker, String pluginPath) {
        if (retry.callTimeout().compareTo(circuitBreaker) >= 0) {
            throw SettingsException.of(
                    path + ".call-timeout",
                    retry.callTimeout().toMillis() + " ms",
                    "less than " + pluginPath + ".circuit-breaker.call-timeout, which is " + circuitBreaker.toMillis()
                            + " ms: the toolkit must not give up a write that is still being repeated");
        }
    }
}
