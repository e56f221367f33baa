package io.dynajournal.cli;

/** The call itself is wrong: exit code 2. */
final class Usage extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static final String TEXT = """
            usage: dynajournal <command> [options] [--] [<id>]

            commands
              events <id>       the events of an id, in order
              highest <id>      the highest number of an id; 0 for an unknown one
              snapshots <id>    the snapshots of an id, oldest first; --table names the snapshots' table
              ids               all ids that have a journal

            options
              --layout <name>   commits (the default) or a predecessor's
              --table <name>    the table; the layout's default without it
              --set <key=value> a setting of the layout, by its own name; may be repeated
              --endpoint <url>  instead of the region's own; no credentials are needed for one on this machine
              --region <name>   instead of what the AWS configuration says
              --profile <name>  of the AWS configuration files
              --from <n>        events: the first number
              --to <n>          events: the last number
              --json            one JSON object a line
              --help
            An id that begins with - comes after --.""";

    Usage(String message) {
        super(message);
    }
}
