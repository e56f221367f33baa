package io.dynajournal.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dynajournal.store.StoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class HolesTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(Holes.class);
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
        Holes holes = new Holes("t", false);
        holes.found("one", 11, 13);
        holes.found("one", 20, 25);
        holes.found("two", 3, 5);
        holes.found("one", 11, 13);
        assertThat(logged.list).extracting(ILoggingEvent::getFormattedMessage).hasSize(2);
        assertThat(logged.list.get(0).getFormattedMessage())
                .contains("log of one in table t")
                .contains("after number 11 it goes on with 13");
        assertThat(logged.list.get(1).getFormattedMessage())
                .contains("log of two")
                .contains("3")
                .contains("5");
    }

    @Test
    void onRequestAHoleFails() {
        Holes holes = new Holes("t", true);
        for (int times = 0; times < 2; times++) {
            assertThatThrownBy(() -> holes.found("one", 11, 13))
                    .isInstanceOf(StoreException.LogDamaged.class)
                    .hasMessageContaining("log of one in table t")
                    .hasMessageContaining("after number 11 it goes on with 13")
                    .hasMessageContaining("fatal-holes");
        }
        assertThat(logged.list).isEmpty();
    }
}
