package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.layout.LayoutSettings;
import java.util.regex.Pattern;

/**
 * Selects the table of a durable state.
 *
 * @param configured the table name of the settings
 * @param byPrefix whether the part of a persistence id before the separator is its table; one without a separator is in the
 *     configured table
 */
record J5TableNames(String configured, boolean byPrefix, String separator) {

    private static final String PACKAGE = "com.github.j5ik2o.akka.persistence.dynamodb.state.";
    private static final Pattern KNOWN = Pattern.compile(
            "com\\.github\\.j5ik2o\\.(?:akka|pekko)\\.persistence\\.dynamodb\\.state\\.TableNameResolver[.$](Config|Prefix)");
    private static final Pattern PROVIDER = Pattern.compile(
            "com\\.github\\.j5ik2o\\.(?:akka|pekko)\\.persistence\\.dynamodb\\.state\\.TableNameResolverProvider[.$]Default");

    /** Reads {@code table-name} and {@code table-name-resolver-class-name}. */
    static J5TableNames of(LayoutSettings settings) {
        String key = "table-name-resolver-class-name";
        String name = settings.text(key, PACKAGE + "TableNameResolver$Config");
        String providerKey = "table-name-resolver-provider-class-name";
        boolean known = KNOWN.matcher(name).matches();
        boolean ownProvider = settings.has(providerKey)
                && !PROVIDER.matcher(settings.required(providerKey)).matches();
        if (!known || ownProvider) {
            throw new IllegalArgumentException("Setting " + (known ? providerKey : key) + " names "
                    + (known ? settings.required(providerKey) : name)
                    + "; only j5ik2o's own TableNameResolver$Config and TableNameResolver$Prefix are supported."
                    + " Configure a durable state store for each table instead.");
        }
        return new J5TableNames(
                settings.text("table-name", "State"),
                name.endsWith("Prefix"),
                settings.text("persistence-id-separator", "-"));
    }

    String of(String persistenceId) {
        return byPrefix && J5Resolvers.has(persistenceId, separator)
                ? J5Resolvers.part(persistenceId, separator, 0)
                : configured;
    }
}
