package io.dynajournal.internal.plugin;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.settings.ClientConfig;
import io.dynajournal.internal.store.Stages;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * Explains why a plugin cannot start: in one line, with our own keys and the endpoint. The explanation of a known cause has
 * no stack trace, because every entity that fails to recover logs it.
 */
final class StartFailures {

    private static final StackTraceElement[] NO_STACK_TRACE = {};
    private static final String NO_REGION = "Unable to load region";
    private static final String NO_CREDENTIALS = "Unable to load credentials";

    private StartFailures() {}

    /**
     * @param target where the requests go; empty if the client does not exist yet
     * @param what could not be done
     */
    static RuntimeException explained(ClientConfig client, String target, String what, Throwable failure) {
        RuntimeException explained = explain(client, target, what, Stages.unwrap(failure));
        if (explained instanceof SettingsException || explained instanceof StoreException) {
            explained.setStackTrace(NO_STACK_TRACE);
        }
        return explained;
    }

    private static RuntimeException explain(ClientConfig client, String target, String what, Throwable failure) {
        if (failure instanceof SettingsException wrong) {
            return wrong;
        }
        if (isSdkFailure(failure, NO_REGION)) {
            return new StoreException.Refused(
                    "No AWS region is known. Set "
                            + (client.isPredecessors()
                                    ? "the region in the block " + client.path()
                                    : client.path() + ".region")
                            + ", the environment variable AWS_REGION, or a profile with a region.",
                    null);
        }
        if (isSdkFailure(failure, NO_CREDENTIALS)) {
            return new StoreException.Refused(
                    "No AWS credentials were found. Set "
                            + (client.isPredecessors()
                                    ? "them in the block " + client.path()
                                    : client.path() + ".credentials")
                            + ", or provide them where the AWS SDK looks: environment variables, profile, container or"
                            + " instance.",
                    null);
        }
        if (failure instanceof StoreException known && !isWithoutAnswer(known)) {
            return known;
        }
        boolean rejected = failure instanceof AwsServiceException answer
                && answer.statusCode() < 500
                && !answer.isThrottlingException();
        String message = what + ": " + cause(failure) + (target.isEmpty() ? "" : " (" + target + ")");
        return rejected ? new StoreException.Refused(message, null) : new StoreException.Unavailable(message, null);
    }

    /** Whether the network failed: DNS, connection, TLS, timeout. It may be well a moment later. */
    private static boolean isWithoutAnswer(StoreException failure) {
        return failure instanceof StoreException.Unavailable || failure.getCause() instanceof SdkClientException;
    }

    private static String cause(Throwable failure) {
        Throwable cause =
                failure instanceof StoreException && failure.getCause() != null ? failure.getCause() : failure;
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private static boolean isSdkFailure(Throwable failure, String text) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SdkClientException sdk
                    && sdk.getMessage() != null
                    && sdk.getMessage().contains(text)) {
                return true;
            }
        }
        return false;
    }
}
