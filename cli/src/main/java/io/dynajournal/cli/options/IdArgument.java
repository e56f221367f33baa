package io.dynajournal.cli.options;

import io.dynajournal.cli.terminal.UsageException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** One persistence id. */
public final class IdArgument {

    @Spec(Spec.Target.MIXEE)
    private final CommandSpec command = CommandSpec.create();

    @Parameters(
            arity = "0..*",
            paramLabel = "<persistence id>",
            description = "The persistence id. Write one that begins with - after --.")
    private List<String> ids = new ArrayList<>();

    public String id() {
        if (ids.size() != 1) {
            throw new UsageException(command.name() + " requires one persistence id, not " + ids.size());
        }
        String id = ids.get(0);
        if (id.isEmpty()) {
            throw new UsageException(command.name() + " requires a persistence id, and the one given is empty");
        }
        return id;
    }
}
