package io.dynajournal.cli.store;

import com.typesafe.config.ConfigException;
import io.dynajournal.cli.store.StoreSettings.PlannedTable;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import io.dynajournal.internal.projections.ProjectionOffsets;
import io.dynajournal.internal.settings.ClientConfig;
import io.dynajournal.internal.settings.ProjectionConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The table of the offsets of projections, and how to reach it.
 *
 * @param usesTimeToLive whether rows of a projection expire
 */
public record OffsetsSettings(String table, ClientSettings client, RetrySettings retry, boolean usesTimeToLive) {

    public static OffsetsSettings named(Connection connection, String table) {
        try {
            return new OffsetsSettings(table, connection.settings(), RetrySettings.DEFAULTS, false);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * What the projections of an application use.
     *
     * @param block the path of their settings
     * @param toolkit null to see which one the file configures
     */
    public static OffsetsSettings load(Connection connection, Path file, String block, @Nullable Toolkit toolkit) {
        ApplicationConfig application = ApplicationConfig.load(file, toolkit);
        try {
            ProjectionConfig config = ProjectionConfig.of(application.root(), block);
            ClientConfig client = config.client();
            return new OffsetsSettings(
                    config.table().name(),
                    application.reached(connection, client),
                    client.retry(),
                    ProjectionConfig.anyExpires(application.root(), block));
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        } catch (ConfigException e) {
            throw application.unusable(e);
        }
    }

    /** What is created. Sends no request. */
    public PlannedTable planned() {
        Actions projection = Actions.of(ProjectionOffsets.ACTIONS.toArray(String[]::new));
        return new PlannedTable(
                ProjectionOffsets.table(table),
                client,
                new Permissions(Actions.NONE, Actions.NONE, projection, Actions.NONE),
                usesTimeToLive);
    }
}
