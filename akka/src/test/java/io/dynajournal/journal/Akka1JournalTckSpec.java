package io.dynajournal.journal;

/** The toolkit's suite on the layout akka1. */
public final class Akka1JournalTckSpec extends AdoptedJournalSpec {

    private static final long serialVersionUID = 1L;

    public Akka1JournalTckSpec() {
        super("tck-akka1");
    }
}
