package io.dynajournal;

import akka.actor.ClassicActorSystemProvider;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.plugin.OpenPlugins;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Access to what the plugins of an actor system share. */
public final class Dynajournal {

    private Dynajournal() {}

    /**
     * The AWS client of a configuration block such as {@code dynajournal.client}. It is created if no plugin has used it
     * yet, which may block for seconds, and closed with the actor system. The client of a predecessor's configuration has
     * its plugin's path ({@code dynamodb-journal}; with 2.x that of its block {@code client}) and exists once that plugin
     * has started.
     *
     * @throws SettingsException if a setting is wrong
     */
    public static DynamoDbAsyncClient client(ClassicActorSystemProvider system, String clientPath) {
        return OpenPlugins.get(system).client(clientPath);
    }
}
