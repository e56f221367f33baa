package io.dynajournal.dynamo;

import org.jspecify.annotations.Nullable;

/** Where credentials come from. No form of it prints a secret. */
public sealed interface CredentialSource {

    /** The SDK's own chain: environment, system properties, profile, container, instance. */
    record DefaultChain() implements CredentialSource {}

    /** Keys from the configuration. */
    record Keys(
            String accessKeyId,
            String secretAccessKey,
            @Nullable String sessionToken) implements CredentialSource {
        @Override
        public String toString() {
            return "Keys[accessKeyId=****, secretAccessKey=****]";
        }
    }

    /** A named profile of the AWS configuration files. */
    record Profile(String name) implements CredentialSource {}

    /** A role by web identity, as on EKS; what is null comes from the environment. Needs {@code sts} on the class path. */
    record WebIdentity(
            @Nullable String roleArn,
            @Nullable String tokenFile,
            @Nullable String sessionName) implements CredentialSource {}

    /** A class of the user's or of the SDK's that implements the SDK's interface for providers. */
    record ProviderClass(String name) implements CredentialSource {}
}
