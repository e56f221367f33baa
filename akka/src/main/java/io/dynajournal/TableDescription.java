package io.dynajournal;

import java.util.List;

/**
 * The table that a plugin needs.
 *
 * @param name the table's name
 * @param indexes the names of its global secondary indexes
 * @param awsCommands the commands of the AWS command line that create it, with {@code --endpoint-url} and {@code --region}
 *     if the settings have them
 */
public record TableDescription(String name, List<String> indexes, String awsCommands) {

    public TableDescription {
        indexes = List.copyOf(indexes);
    }
}
