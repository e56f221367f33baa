package io.dynajournal.cli.cost;

/** Capacity units: writes to tables, writes to indexes, reads of both. */
record Units(double tableWrites, double indexWrites, double reads) {

    static final Units NONE = new Units(0, 0, 0);

    Units plus(Units other) {
        return new Units(tableWrites + other.tableWrites, indexWrites + other.indexWrites, reads + other.reads);
    }

    Units times(double factor) {
        return new Units(tableWrites * factor, indexWrites * factor, reads * factor);
    }

    Activity perSecond(String name) {
        return new Activity(name, tableWrites, indexWrites, reads);
    }
}
