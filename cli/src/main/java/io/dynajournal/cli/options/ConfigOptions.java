package io.dynajournal.cli.options;

import io.dynajournal.cli.store.Toolkit;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** An application's configuration. */
final class ConfigOptions {

    @Option(
            names = "--config",
            paramLabel = "<file>",
            description = "A configuration in HOCON, such as the application's own application.conf. The command"
                    + " uses what the plugin would use.")
    private @Nullable Path file;

    @Option(names = "--toolkit", paramLabel = "<name>", description = "akka or pekko, where the file does not show it.")
    private @Nullable Toolkit toolkit;

    @Nullable
    Path file() {
        return file;
    }

    @Nullable
    Toolkit toolkit() {
        return toolkit;
    }
}
