package io.dynajournal.internal.dynamo;

import org.jspecify.annotations.Nullable;

/** Where credentials come from. No form of it prints a secret. */
public sealed interface CredentialSource permits CredentialSources.Source {

    /** The SDK's own chain: environment, system properties, profile, container, instance. */
    static CredentialSource defaultChain() {
        return new CredentialSources.DefaultChain();
    }

    /** Keys from the configuration. */
    static CredentialSource keys(String accessKeyId, String secretAccessKey, @Nullable String sessionToken) {
        return new CredentialSources.Keys(accessKeyId, secretAccessKey, sessionToken);
    }

    /** A named profile of the AWS configuration files. */
    static CredentialSource profile(String name) {
        return new CredentialSources.Profile(name);
    }

    /** A role by web identity, as on EKS; what is null comes from the environment. Needs {@code sts} on the class path. */
    static CredentialSource webIdentity(
            @Nullable String roleArn, @Nullable String tokenFile, @Nullable String sessionName) {
        return new CredentialSources.WebIdentity(roleArn, tokenFile, sessionName);
    }

    /** A class of the user's or of the SDK's that implements the SDK's interface for providers. */
    static CredentialSource providerClass(String name) {
        return new CredentialSources.ProviderClass(name);
    }
}
