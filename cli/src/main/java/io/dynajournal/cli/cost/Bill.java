package io.dynajournal.cli.cost;

/**
 * What a month costs.
 *
 * @param writes to tables
 * @param reads of tables and indexes
 * @param storage of tables
 * @param index writes to indexes and their storage
 */
public record Bill(double writes, double reads, double storage, double index) {

    public double total() {
        return writes + reads + storage + index;
    }
}
