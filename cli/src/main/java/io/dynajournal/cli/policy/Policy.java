package io.dynajournal.cli.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dynajournal.cli.store.StoreSettings.PlannedTable;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.layout.Permissions.Actions;
import java.util.Set;
import software.amazon.awssdk.regions.PartitionMetadata;
import software.amazon.awssdk.regions.Region;

/** The policy document of a role: a statement for each table and each index. */
public final class Policy {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Role role;
    private final String account;
    private final ObjectNode document = JSON.createObjectNode();
    private final ArrayNode statements;

    /** @param account the AWS account, or {@code *} */
    public Policy(Role role, String account) {
        this.role = role;
        this.account = account;
        document.put("Version", "2012-10-17");
        statements = document.putArray("Statement");
    }

    /** Adds what the role does with a table; nothing if it does not use it. */
    public void add(PlannedTable planned) {
        if (!role.isWithout(planned)) {
            add(planned.table().name(), planned.client(), role.actions(planned));
        }
    }

    private void add(String table, ClientSettings client, Actions actions) {
        String arn = arn(client) + table;
        actions.byIndex().forEach((index, names) -> add(index.isEmpty() ? arn : arn + "/index/" + index, names));
    }

    private void add(String resource, Set<String> names) {
        ObjectNode statement = statements.addObject();
        statement.put("Effect", "Allow");
        ArrayNode actions = statement.putArray("Action");
        names.forEach(name -> actions.add("dynamodb:" + name));
        statement.put("Resource", resource);
    }

    /** China and GovCloud have other names for {@code aws}. */
    private String arn(ClientSettings client) {
        String region = client.region();
        String partition =
                region == null ? "aws" : PartitionMetadata.of(Region.of(region)).id();
        return "arn:" + partition + ":dynamodb:" + (region == null ? "*" : region) + ":" + account + ":table/";
    }

    /** Whether nothing has been added. */
    public boolean isEmpty() {
        return statements.isEmpty();
    }

    /** The document. */
    public String json() {
        if (isEmpty()) {
            throw new UsageException("a " + role
                    + " needs nothing of these tables; for projections, the layout must have an" + " index by slice");
        }
        try {
            return JSON.writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the policy of " + role + " cannot be written", e);
        }
    }
}
