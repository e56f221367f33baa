package io.dynajournal.testkit.simulator;

/** The operations on tables and items. */
record Operations(
        Tables tables,
        SingleWrites writes,
        Reads reads,
        Batches batches,
        Transactions transactions,
        Statements statements) {

    Operations(Tables tables, Lags lags) {
        this(
                tables,
                new SingleWrites(tables),
                new Reads(tables),
                new Batches(tables),
                new Transactions(tables, lags),
                new Statements(tables));
    }
}
