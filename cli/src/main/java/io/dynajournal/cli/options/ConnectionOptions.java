package io.dynajournal.cli.options;

import io.dynajournal.cli.store.Connection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How DynamoDB is reached. */
public final class ConnectionOptions {

    @Option(
            names = "--endpoint",
            paramLabel = "<url>",
            description = "The address of DynamoDB. One on this machine needs no credentials.")
    private @Nullable String endpoint;

    @Option(
            names = "--region",
            paramLabel = "<name>",
            description = "The AWS region. By default that of the AWS configuration.")
    private @Nullable String region;

    @Option(names = "--profile", paramLabel = "<name>", description = "A profile of the AWS configuration.")
    private @Nullable String profile;

    Connection connection() {
        return new Connection(endpoint, region, profile);
    }
}
