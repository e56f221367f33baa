package io.dynajournal.journal;

/** The toolkit's suite on the layout sclasen. */
public final class SclasenJournalTckSpec extends AdoptedJournalSpec {

    private static final long serialVersionUID = 1L;

    public SclasenJournalTckSpec() {
        super("tck-sclasen");
    }
}
