package io.dynajournal.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/**
 * Evaluates an IAM policy as AWS does, without conditions: what no statement allows is denied, and a statement that denies wins. Counts
 * what is used of it. Thread-safe.
 */
public final class IamPolicy {

    /** One action on one resource, as the policy spells them. */
    private record Grant(boolean allows, String action, String resource) {
        boolean matches(IamRequest request) {
            return like(action, request.action()) && like(resource, request.resource());
        }

        /** A star is any text, a question mark any character. */
        private static boolean like(String pattern, String text) {
            return Pattern.matches(
                    ("\\Q" + pattern + "\\E").replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q"), text);
        }
    }

    private final List<Grant> grants = new ArrayList<>();
    private final Set<String> used = new ConcurrentSkipListSet<>();
    private final Set<String> denied = new ConcurrentSkipListSet<>();

    private IamPolicy(String document) {
        JsonNode policy = JsonNode.parser().parse(document);
        if (!policy.field("Version").map(JsonNode::asString).orElse("").equals("2012-10-17")) {
            throw new AssertionError("the policy has not the current version: " + document);
        }
        for (JsonNode statement : policy.field("Statement").orElseThrow().asArray()) {
            boolean allows = text(statement, "Effect").equals("Allow");
            for (String action : texts(statement, "Action")) {
                texts(statement, "Resource").forEach(resource -> grants.add(new Grant(allows, action, resource)));
            }
        }
    }

    /** Reads a policy document. */
    public static IamPolicy parse(String document) {
        return new IamPolicy(document);
    }

    /** Whether all that a request needs is allowed, by its operation and its body. */
    public boolean allows(String operation, String body) {
        boolean all = true;
        for (IamRequest request : IamRequest.of(operation, body)) {
            all &= allows(request);
        }
        return all;
    }

    boolean allows(IamRequest request) {
        List<Grant> matching =
                grants.stream().filter(grant -> grant.matches(request)).toList();
        boolean allowed = !matching.isEmpty() && matching.stream().allMatch(Grant::allows);
        matching.forEach(grant -> used.add(grant.action() + " on " + grant.resource()));
        if (!allowed) {
            denied.add(request.action() + " on " + request.resource());
        }
        return allowed;
    }

    /** What was asked and is not allowed. */
    public Set<String> denied() {
        return new TreeSet<>(denied);
    }

    /** What the policy grants and nobody asked. */
    public Set<String> unused() {
        Set<String> unused = new TreeSet<>();
        grants.forEach(grant -> unused.add(grant.action() + " on " + grant.resource()));
        unused.removeAll(used);
        return unused;
    }

    private static String text(JsonNode node, String name) {
        return node.field(name).orElseThrow().asString();
    }

    private static List<String> texts(JsonNode node, String name) {
        JsonNode value = node.field(name).orElseThrow();
        return value.isArray()
                ? value.asArray().stream().map(JsonNode::asString).toList()
                : List.of(value.asString());
    }
}
