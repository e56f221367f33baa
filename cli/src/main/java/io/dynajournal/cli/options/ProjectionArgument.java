package io.dynajournal.cli.options;

import picocli.CommandLine.Parameters;

/** One projection. */
public final class ProjectionArgument {

    @Parameters(
            index = "0",
            paramLabel = "<projection>",
            description = "The projection's name: the first part of its ProjectionId.")
    private String name = "";

    public String name() {
        return name;
    }
}
