package io.dynajournal.cli.cost;

/** What a part of the work takes, in units per second. */
public record Activity(String name, double tableWrites, double indexWrites, double reads) {

    double writes() {
        return tableWrites + indexWrites;
    }
}
