package io.dynajournal.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One item was acknowledged, one was in flight when the carts were killed. */
class LedgerTest {

    private final Ledger ledger = new Ledger();

    @BeforeEach
    void write() {
        ledger.adding(new Report.Adding("cart-1", "pen", 2));
        ledger.added(new Report.Added("cart-1", "pen", 2));
        ledger.adding(new Report.Adding("cart-1", "book", 1));
    }

    @Test
    void aWriteInFlightMayBeThereOrNot() {
        assertThat(ledger.compare(Map.of("cart-1", Map.of("pen", 2))))
                .isEqualTo(new Ledger.Comparison(0, Set.of(), Set.of()));
        assertThat(ledger.compare(Map.of("cart-1", Map.of("pen", 2, "book", 1))))
                .isEqualTo(new Ledger.Comparison(1, Set.of(), Set.of()));
    }

    @Test
    void anAcknowledgedItemThatIsNotThereIsLost() {
        assertThat(ledger.compare(Map.of("cart-1", Map.of("book", 1))).lost()).containsExactly("cart-1: 2 x pen");
        assertThat(ledger.compare(Map.of()).lost()).containsExactly("cart-1: 2 x pen");
        assertThat(ledger.compare(Map.of("cart-2", Map.of("pen", 2))).lost()).containsExactly("cart-1: 2 x pen");
    }

    @Test
    void anItemThatNobodyAddedIsStrange() {
        assertThat(ledger.compare(Map.of("cart-1", Map.of("pen", 3))).strange()).containsExactly("cart-1: 3 x pen");
    }

    @Test
    void reportsAreReadAsTheyWereWritten() {
        for (Report report : Set.of(
                new Report.Holds("cart-1", Map.of("pen", 2, "book", 1)),
                new Report.Holds("cart-2", Map.of()),
                new Report.Recovered(1200, 50.5),
                new Report.Adding("cart-1", "pen", 2),
                new Report.Added("cart-1", "pen", 2),
                new Report.Spent(100, 101, 100.5, 7),
                new Report.Queried(100, 7),
                new Report.Projected(100),
                new Report.Popular("pen", 3))) {
            assertThat(Report.parse(report.toString())).contains(report);
        }
        assertThat(Report.parse("a library's word")).isEmpty();
    }
}
