package io.dynajournal.cli.cost;

import io.dynajournal.cli.terminal.UsageException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What DynamoDB costs in one region, by one way of paying.
 *
 * @param asOf the date of the prices, as the file has it
 * @param billing for people, such as {@code on-demand capacity, standard table class}
 * @param write of a write unit per second over a month
 * @param read of a read unit per second over a month
 * @param gbMonth of 10^9 bytes over a month
 */
public record Prices(
        String region,
        String currency,
        String asOf,
        String source,
        String billing,
        double write,
        double read,
        double gbMonth) {

    private static final String RESOURCE = "prices.json";
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double MAX_PRICE = 1_000_000;

    /** How capacity is paid. */
    public enum Billing {
        ON_DEMAND,
        PROVISIONED;

        String spelled() {
            return this == ON_DEMAND ? "on-demand" : "provisioned";
        }
    }

    /** The table class. */
    public enum TableClass {
        STANDARD,
        INFREQUENT_ACCESS;

        String spelled() {
            return this == STANDARD ? "standard" : "infrequent-access";
        }
    }

    /** The prices that come with the command. */
    public static String defaultsText() {
        return CostSettings.resource(RESOURCE);
    }

    /**
     * The prices of a file.
     *
     * @param file null for those that come with the command
     * @param utilization which share of provisioned capacity is used
     * @throws UsageException if a key or a value is wrong
     */
    public static Prices of(@Nullable Path file, Billing billing, TableClass tableClass, double utilization) {
        CostSettings defaults = CostSettings.defaults(RESOURCE);
        CostSettings settings = file == null ? defaults : defaults.with(file);
        double hours = settings.number("hours-per-month", 1, 744);
        String path = tableClass.spelled() + ".";
        double million = hours * SECONDS_PER_HOUR / 1_000_000;
        double units = hours / utilization;
        boolean onDemand = billing == Billing.ON_DEMAND;
        return new Prices(
                settings.text("region"),
                settings.text("currency"),
                settings.text("as-of"),
                settings.text("source"),
                billing.spelled() + " capacity, table class " + tableClass.spelled(),
                onDemand
                        ? million * price(settings, path + "on-demand.million-writes")
                        : units * price(settings, path + "provisioned.write-unit-hour"),
                onDemand
                        ? million * price(settings, path + "on-demand.million-reads")
                        : units * price(settings, path + "provisioned.read-unit-hour"),
                price(settings, path + "gb-month"));
    }

    private static double price(CostSettings settings, String key) {
        return settings.number(key, 0, MAX_PRICE);
    }

    /** A month of an estimate. */
    Bill bill(Estimate estimate) {
        double tableWrites = 0;
        double indexWrites = 0;
        double reads = 0;
        for (Activity activity : estimate.activities()) {
            tableWrites += activity.tableWrites();
            indexWrites += activity.indexWrites();
            reads += activity.reads();
        }
        return new Bill(
                tableWrites * write,
                reads * read,
                estimate.tableBytes() / 1e9 * gbMonth,
                indexWrites * write + estimate.indexBytes() / 1e9 * gbMonth);
    }
}
