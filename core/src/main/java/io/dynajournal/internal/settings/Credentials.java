package io.dynajournal.internal.settings;

import io.dynajournal.internal.dynamo.CredentialSource;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The block {@code credentials} of a client. */
final class Credentials {

    private enum Provider {
        DEFAULT,
        STATIC,
        PROFILE,
        WEB_IDENTITY;

        String spelled() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final Block block;
    private final Provider provider;

    private Credentials(Block block) {
        this.block = block;
        this.provider = block.choice("credentials.provider", List.of(Provider.values()));
    }

    static CredentialSource source(Block block) {
        return new Credentials(block).source();
    }

    /** Reads all keys: those that the provider does not use must be empty. */
    private CredentialSource source() {
        String accessKeyId = only(Provider.STATIC, "access-key-id", true);
        String secretAccessKey = only(Provider.STATIC, "secret-access-key", true);
        String sessionToken = only(Provider.STATIC, "session-token", true);
        String profile = only(Provider.PROFILE, "profile", false);
        String roleArn = only(Provider.WEB_IDENTITY, "role-arn", false);
        String tokenFile = only(Provider.WEB_IDENTITY, "token-file", false);
        String sessionName = only(Provider.WEB_IDENTITY, "session-name", false);
        return switch (provider) {
            case DEFAULT -> CredentialSource.defaultChain();
            case STATIC ->
                CredentialSource.keys(
                        needed("access-key-id", accessKeyId),
                        needed("secret-access-key", secretAccessKey),
                        sessionToken);
            case PROFILE -> CredentialSource.profile(needed("profile", profile));
            case WEB_IDENTITY -> CredentialSource.webIdentity(roleArn, tokenFile, sessionName);
        };
    }

    private @Nullable String only(Provider owner, String name, boolean secret) {
        String key = "credentials." + name;
        String value = secret ? block.secret(key) : block.optionalText(key);
        if (value != null && provider != owner) {
            throw block.wrong(
                    key,
                    "nothing, because credentials.provider is " + provider.spelled() + " and not " + owner.spelled());
        }
        return value;
    }

    private String needed(String name, @Nullable String value) {
        if (value == null) {
            throw block.wrong("credentials." + name, "a value, because credentials.provider is " + provider.spelled());
        }
        return value;
    }
}
