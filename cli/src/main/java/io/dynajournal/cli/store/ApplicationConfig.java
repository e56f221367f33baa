package io.dynajournal.cli.store;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.settings.ClientConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A configuration of an application, with our defaults and those of its toolkit that our plugins read. Substitutions of
 * what only the application's class path has stay open; they matter only inside the blocks of our plugins.
 */
record ApplicationConfig(Path file, Config unresolved, Config root, Toolkit toolkit) {

    /** @param toolkit null to see which one the file configures */
    static ApplicationConfig load(Path file, @Nullable Toolkit toolkit) {
        try {
            Config own = ConfigFactory.parseFile(
                    file.toFile(), ConfigParseOptions.defaults().setAllowMissing(false));
            Toolkit chosen = toolkit != null ? toolkit : toolkitOf(own);
            Config unresolved = own.withFallback(toolkitDefaults(chosen)).withFallback(reference(chosen));
            Config root = unresolved.resolve(ConfigResolveOptions.defaults().setAllowUnresolved(true));
            return new ApplicationConfig(file, unresolved, root, chosen);
        } catch (ConfigException e) {
            throw new UsageException("the configuration cannot be read: " + e.getMessage());
        }
    }

    /** What is wrong with a configuration that could not be read to its end. */
    UsageException unusable(ConfigException failure) {
        String reason = String.valueOf(failure.getMessage());
        if (failure instanceof ConfigException.BugOrBroken) {
            try {
                unresolved.resolve();
            } catch (ConfigException named) {
                reason = String.valueOf(named.getMessage());
            }
        }
        return new UsageException("the configuration " + file + " cannot be used: " + reason);
    }

    /** A file that was moved from Akka may still have blocks of Akka's. */
    private static Toolkit toolkitOf(Config own) {
        return own.root().containsKey(Toolkit.PEKKO.root()) ? Toolkit.PEKKO : Toolkit.AKKA;
    }

    private static Config toolkitDefaults(Toolkit toolkit) {
        return ConfigFactory.parseString(resource("toolkit.conf")).atKey(toolkit.root());
    }

    /** For Pekko changed as its build changes it, where quotes keep a name. */
    private static Config reference(Toolkit toolkit) {
        String text = resource("reference.conf") + "\n" + resource("projection/reference.conf");
        return toolkit == Toolkit.AKKA
                ? ConfigFactory.parseString(text)
                : ConfigFactory.parseString(text.replaceAll("(?<![\\w.])akka(?=\\s*[.{])", toolkit.root())
                        + "\npekko.persistence.dynamodb = ${\"akka\".persistence.dynamodb}\n");
    }

    private static String resource(String name) {
        try (InputStream in = ApplicationConfig.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    /** How a client of the configuration is reached; the connection overrides it. */
    ClientSettings reached(Connection connection, ClientConfig client) {
        if (client.embedded() && connection.endpoint() == null) {
            throw new UsageException("the endpoint of " + client.path() + " in " + file
                    + " is the embedded server, which runs inside the application; give its address with --endpoint");
        }
        return connection.over(client.settings());
    }

    /** The plugin that the toolkit uses if the entities name none; ours if the file says nothing. */
    String defaultPlugin(StoreKind kind, String ours) {
        String key = toolkit.root() + ".persistence." + kind.toolkitKey();
        String named = root.hasPath(key) ? root.getString(key) : "";
        return named.isEmpty() ? ours : named;
    }

    /** The block of a plugin, merged with the toolkit's fallback as the toolkit does it. */
    Config block(StoreKind kind, String path, Config fallback) {
        if (!root.hasPath(path + ".class")) {
            throw new UsageException(file + " has no " + kind.title() + " at " + path + ": there is no setting " + path
                    + ".class; name one with --plugin");
        }
        return root.getConfig(path).withFallback(fallback);
    }

    Config fallback(StoreKind kind) {
        return switch (kind) {
            case JOURNAL -> root.getConfig(toolkit.root() + ".persistence.journal-plugin-fallback");
            case SNAPSHOTS -> root.getConfig(toolkit.root() + ".persistence.snapshot-store-plugin-fallback");
            case STATES, OFFSETS -> ConfigFactory.empty();
        };
    }
}
