package io.dynajournal.internal.model;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An event that an entity persists, before it has a sequence number.
 *
 * @param adapterManifest the manifest of the toolkit's event adapter; empty without one
 * @param metadata the toolkit's metadata of a replicated event, serialized on its own
 */
public record Event(
        Payload payload,
        String adapterManifest,
        Set<String> tags,
        @Nullable Payload metadata) {

    public Event {
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(adapterManifest, "adapterManifest");
        tags = Set.copyOf(tags);
    }

    /** An event without manifest, tags and metadata. */
    public static Event of(Payload payload) {
        return new Event(payload, "", Set.of(), null);
    }
}
