package io.dynajournal.testkit;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The capabilities of a layout's format: all of them, except those that are declared missing with a reason. Immutable. */
public final class Capabilities {

    /** A format without limits. */
    public static final Capabilities ALL = new Capabilities(Map.of());

    private record Missing(int limit, String reason) {}

    private final Map<Capability, Missing> missing;

    private Capabilities(Map<Capability, Missing> missing) {
        this.missing = missing;
    }

    /** Without a capability. */
    public Capabilities without(Capability capability, String reason) {
        return beyond(capability, 0, reason);
    }

    /**
     * With a capability up to a limit.
     *
     * @param limit the maximum: events, or bytes of payload
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

    /** Whether this amount is within the limit. */
    boolean has(Capability capability, int wanted) {
        return wanted == atMost(capability, wanted);
    }

    /** This amount, or the limit if it is lower. */
    int atMost(Capability capability, int wanted) {
        Missing limited = missing.get(capability);
        return limited == null ? wanted : Math.min(wanted, limited.limit());
    }

    /** For the report of a test class. */
    String describe(String layout) {
        return missing.isEmpty()
                ? layout + " has all capabilities."
                : missing.entrySet().stream()
                        .map(entry -> "  " + entry.getKey()
                                + (entry.getValue().limit() == 0
                                        ? ""
                                        : " beyond " + entry.getValue().limit())
                                + ": " + entry.getValue().reason())
                        .collect(Collectors.joining("\n", layout + " lacks, by its format:\n", ""));
    }
}
