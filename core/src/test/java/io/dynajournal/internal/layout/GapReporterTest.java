package io.dynajournal.internal.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dynajournal.exception.StoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

final class GapReporterTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(GapReporter.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(logged);
    }

    @Test
    void eachIdIsReportedOnce() {
        GapReporter gaps = new GapReporter("t", false);
        gaps.found("one", 11, 13);
        gaps.found("one", 20, 25);
        gaps.found("two", 3, 5);
        gaps.found("one", 11, 13);
        assertThat(logged.list).extracting(ILoggingEvent::getFormattedMessage).hasSize(2);
        assertThat(logged.list.get(0).getFormattedMessage())
                .contains("log of one in table t")
                .contains("sequence number 11 is followed by 13");
        assertThat(logged.list.get(1).getFormattedMessage())
                .contains("log of two")
                .contains("3")
                .contains("5");
    }

    /** Under the toolkits' own name. */
    @Test
    void theLineHasThePersistenceIdInItsContext() {
        new GapReporter("t", false).found("one", 11, 13);
        assertThat(logged.list)
                .singleElement()
                .satisfies(line -> assertThat(line.getMDCPropertyMap()).containsEntry("persistenceId", "one"));
        assertThat(MDC.get("persistenceId")).isNull();
    }

    @Test
    void onRequestAGapFails() {
        GapReporter gaps = new GapReporter("t", true);
        for (int times = 0; times < 2; times++) {
            assertThatThrownBy(() -> gaps.found("one", 11, 13))
                    .isInstanceOf(StoreException.LogDamaged.class)
                    .hasMessageContaining("log of one in table t")
                    .hasMessageContaining("sequence number 11 is followed by 13")
                    .hasMessageContaining("fatal-gaps");
        }
        assertThat(logged.list).isEmpty();
    }
}
