package io.dynajournal.cli;

/** The error for a wrong command line: exit code 2. */
final class Usage extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static final String TEXT = """
            usage: dynajournal <command> [options] [--] [<persistence id>]

            commands
              events <id>       the events of a persistence id, in order
              highest <id>      the highest sequence number of a persistence id; 0 if it is unknown
              snapshots <id>    the snapshots of a persistence id, oldest first; --table is the snapshot table
              ids               all persistence ids that have a journal

            options
              --layout <name>   commits (default), akka2, akka1, j5ik2o or sclasen
              --table <name>    the table; by default that of the layout
              --set <key=value> a setting of the layout; may be given several times
              --endpoint <url>  the address of DynamoDB; one on this machine needs no credentials
              --region <name>   the AWS region; by default that of the AWS configuration
              --profile <name>  a profile of the AWS configuration
              --from <n>        events: the first sequence number
              --to <n>          events: the last sequence number
              --json            print each result as a JSON object on a line of its own
              --help            print this text
            Write a persistence id that begins with - after --.""";

    Usage(String message) {
        super(message);
    }
}
