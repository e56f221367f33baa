package io.dynajournal.cli.store;

import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.CredentialSource;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** How the command line says to reach DynamoDB; null where it says nothing. */
public record Connection(
        @Nullable String endpoint,
        @Nullable String region,
        @Nullable String profile) {

    /** Without a configuration. */
    ClientSettings settings() {
        return over(ClientSettings.forEndpoint(null));
    }

    /** What is said here overrides a configuration. */
    ClientSettings over(ClientSettings settings) {
        return new ClientSettings(
                region == null ? settings.region() : region,
                endpoint == null ? settings.endpoint() : URI.create(endpoint),
                profile == null ? settings.credentials() : CredentialSource.profile(profile),
                settings.allowPlainHttp(),
                settings.maxConcurrency(),
                settings.connectTimeout(),
                settings.connectionAcquisitionTimeout(),
                settings.idleTimeout(),
                settings.flowControl(),
                settings.tuning());
    }
}
