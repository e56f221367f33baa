package io.dynajournal.dynamo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether somebody hooks into the SDK by files on the class path, as tracing does. Then every request goes by the SDK. */
final class Interceptors {

    private static final Logger log = LoggerFactory.getLogger(Interceptors.class);

    private static final List<String> FILES = List.of(
            "software/amazon/awssdk/global/handlers/execution.interceptors",
            "software/amazon/awssdk/services/dynamodb/execution.interceptors");

    private Interceptors() {}

    static boolean areThere() {
        return areThere(Interceptors.class.getClassLoader());
    }

    static boolean areThere(ClassLoader loader) {
        try {
            for (String file : FILES) {
                if (loader.getResources(file).hasMoreElements()) {
                    log.info("All requests go by the AWS SDK's pipeline, because {} is on the class path", file);
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
