package io.dynajournal.testkit;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What a layout's format can do: everything but what is declared as missing, each with the reason. Immutable. */
public final class Capabilities {

    /** A format without limits. */
    public static final Capabilities ALL = new Capabilities(Map.of());

    private record Missing(int limit, String reason) {}

    private final Map<Capability, Missing> missing;

    private Capabilities(Map<Capability, Missing> missing) {
        this.missing = missing;
    }

    /** Less what the format cannot do at all. */
    public Capabilities without(Capability capability, String reason) {
        return beyond(capability, 0, reason);
    }

    /**
     * Less what the format can do up to a limit only.
     *
     * @param limit what it still can: events or bytes of payload
     */
    public Capabilities beyond(Capability capability, int limit, String reason) {
        Map<Capability, Missing> more = new EnumMap<>(Capability.class);
        more.putAll(missing);
        more.put(capability, new Missing(limit, reason));
        return new Capabilities(more);
    }

    boolean has(Capability capability) {
        return !missing.containsKey(capability);
    }

    /** Whether so much is within the limit. */
    boolean has(Capability capability, int wanted) {
        return wanted == atMost(capability, wanted);
    }

    /** So much, or the limit where that is less. */
    int atMost(Capability capability, int wanted) {
        Missing lacks = missing.get(capability);
        return lacks == null ? wanted : Math.min(wanted, lacks.limit());
    }

    /** For the report of a test class. */
    String describe(String layout) {
        return missing.isEmpty()
                ? layout + " can do everything."
                : missing.entrySet().stream()
                        .map(entry -> "  " + entry.getKey()
                                + (entry.getValue().limit() == 0
                                        ? ""
                                        : " beyond " + entry.getValue().limit())
                                + ": " + entry.getValue().reason())
                        .collect(Collectors.joining("\n", layout + " cannot do, by its format:\n", ""));
    }
}
