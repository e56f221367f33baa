package io.dynajournal.internal.plugin;

import io.dynajournal.StateColumns;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.model.Slices;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The user's own columns of durable states, by entity type. Thread-safe. */
public final class ColumnsByEntityType {

    private static final String ANY_OTHER = "*";

    private final Map<String, StateColumns<Object>> byType;

    private ColumnsByEntityType(Map<String, StateColumns<Object>> byType) {
        this.byType = Map.copyOf(byType);
    }

    /**
     * Creates an instance of each class.
     *
     * @param key the setting that names them
     * @param classes by entity type
     * @throws SettingsException if one of them cannot be used
     */
    static ColumnsByEntityType of(String key, Map<String, String> classes, ClassLoader loader) {
        Map<String, StateColumns<Object>> byType = new HashMap<>();
        classes.forEach((entityType, name) -> byType.put(entityType, create(key + "." + entityType, name, loader)));
        return new ColumnsByEntityType(byType);
    }

    // The class decides which states it can take; one of another type fails its write.
    @SuppressWarnings("unchecked")
    private static StateColumns<Object> create(String key, String name, ClassLoader loader) {
        String found = "\"" + name + "\"";
        try {
            Class<?> type = Class.forName(name, true, loader);
            if (!StateColumns.class.isAssignableFrom(type)) {
                throw SettingsException.of(key, found, "a class that implements " + StateColumns.class.getName());
            }
            return (StateColumns<Object>) type.getConstructor().newInstance();
        } catch (ClassNotFoundException e) {
            throw SettingsException.of(key, found, "a class on the class path");
        } catch (ReflectiveOperationException e) {
            throw SettingsException.of(key, found, "a public class whose public constructor without arguments works");
        }
    }

    /**
     * The columns of a state.
     *
     * @throws IllegalStateException if the user's class fails; the message shows nothing of the state
     */
    public Map<String, Object> columns(String persistenceId, long revision, Object state) {
        @Nullable StateColumns<Object> columns = byType.get(Slices.entityType(persistenceId));
        if (columns == null) {
            columns = byType.get(ANY_OTHER);
        }
        if (columns == null) {
            return Map.of();
        }
        try {
            return Map.copyOf(columns.columns(persistenceId, state));
        } catch (ClassCastException e) {
            throw failed(columns, "cannot take a " + state.getClass().getName(), persistenceId, revision, e);
        } catch (RuntimeException e) {
            throw failed(columns, "failed with " + e.getClass().getName(), persistenceId, revision, e);
        }
    }

    private static IllegalStateException failed(
            StateColumns<Object> columns, String how, String persistenceId, long revision, RuntimeException cause) {
        return new IllegalStateException(
                "Not sent: " + columns.getClass().getName() + " " + how + ", the state of " + persistenceId
                        + ", revision " + revision + ". Nothing was stored.",
                cause);
    }
}
