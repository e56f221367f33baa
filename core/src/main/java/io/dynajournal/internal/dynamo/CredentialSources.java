package io.dynajournal.internal.dynamo;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;

/** The forms of {@link CredentialSource}, and the SDK's provider for each. */
final class CredentialSources {

    private static final String STS = "software.amazon.awssdk.services.sts.StsClient";

    sealed interface Source extends CredentialSource {}

    record DefaultChain() implements Source {}

    record Keys(
            String accessKeyId,
            String secretAccessKey,
            @Nullable String sessionToken) implements Source {
        @Override
        public String toString() {
            return "Keys[accessKeyId=****, secretAccessKey=****]";
        }
    }

    record Profile(String name) implements Source {}

    record WebIdentity(
            @Nullable String roleArn,
            @Nullable String tokenFile,
            @Nullable String sessionName) implements Source {}

    record ProviderClass(String name) implements Source {}

    private CredentialSources() {}

    static AwsCredentialsProvider provider(ClientSettings settings) {
        CredentialSource source = settings.credentials();
        if (source instanceof Keys keys) {
            return StaticCredentialsProvider.create(
                    keys.sessionToken() == null
                            ? AwsBasicCredentials.create(keys.accessKeyId(), keys.secretAccessKey())
                            : AwsSessionCredentials.create(
                                    keys.accessKeyId(), keys.secretAccessKey(), keys.sessionToken()));
        }
        if (source instanceof Profile profile) {
            return ProfileCredentialsProvider.create(profile.name());
        }
        if (source instanceof WebIdentity identity) {
            return webIdentity(identity);
        }
        if (source instanceof ProviderClass own) {
            return provider(own.name());
        }
        return settings.isLoopback()
                ? StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"))
                : DefaultCredentialsProvider.builder().build();
    }

    /** Created by {@code create()}, like the SDK's own providers, or by a constructor without arguments. */
    private static AwsCredentialsProvider provider(String name) {
        try {
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            Class<?> found =
                    Class.forName(name, true, context == null ? CredentialSources.class.getClassLoader() : context);
            if (!AwsCredentialsProvider.class.isAssignableFrom(found)) {
                throw new IllegalArgumentException("The class " + name + " does not implement "
                        + AwsCredentialsProvider.class.getName() + " of the AWS SDK v2");
            }
            Optional<Method> create = Arrays.stream(found.getMethods())
                    .filter(method -> method.getName().equals("create")
                            && method.getParameterCount() == 0
                            && Modifier.isStatic(method.getModifiers()))
                    .findFirst();
            return (AwsCredentialsProvider)
                    (create.isPresent()
                            ? create.get().invoke(null)
                            : found.getConstructor().newInstance());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("The class " + name + " for credentials is not on the class path", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "The class " + name
                            + " for credentials has neither a static method create() nor a public constructor"
                            + " without arguments",
                    e);
        }
    }

    private static AwsCredentialsProvider webIdentity(WebIdentity identity) {
        try {
            Class.forName(STS, false, CredentialSources.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "credentials.provider = \"web-identity\" needs software.amazon.awssdk:sts on the class path", e);
        }
        WebIdentityTokenFileCredentialsProvider.Builder builder = WebIdentityTokenFileCredentialsProvider.builder();
        if (identity.roleArn() != null) {
            builder.roleArn(identity.roleArn());
        }
        if (identity.tokenFile() != null) {
            builder.webIdentityTokenFile(Path.of(identity.tokenFile()));
        }
        if (identity.sessionName() != null) {
            builder.roleSessionName(identity.sessionName());
        }
        return builder.build();
    }
}
