package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.settings.ProjectionConfig;
import io.dynajournal.internal.settings.RootBlock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The block dynajournal.projection. */
final class ProjectionSettingsTest {

    private static ProjectionConfig read(String overrides) {
        return read(overrides, "any");
    }

    private static ProjectionConfig read(String overrides, String projectionName) {
        Config root = ConfigFactory.load(ConfigFactory.parseString(overrides));
        RootBlock.check(root);
        return ProjectionConfig.of(root, "dynajournal.projection", projectionName);
    }

    @Test
    void hasTheDefaultsOfTheDocumentation() {
        ProjectionConfig config = read("");
        assertThat(config.table().name()).isEqualTo("timestamp_offset");
        assertThat(config.flushInterval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.trackedEntities()).isEqualTo(100_000);
        assertThat(config.client().path()).isEqualTo("dynajournal.client");
        assertThat(config.timeToLive()).isNull();
        assertThat(config.startsNow()).isFalse();
        assertThat(config.auditInterval()).isNull();
        assertThat(config.auditSample()).isEqualTo(100);
        assertThat(config.packedWindow()).isNull();
        assertThat(config.reset().after()).isNull();
        assertThat(read("dynajournal.projection.accept-sequence-number-reset-after = 1 hour")
                        .reset()
                        .after())
                .isEqualTo(Duration.ofHours(1));
        assertThat(read("dynajournal.projection.layout = packed").packedWindow())
                .isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void aProjectionHasTheSettingsOfTheLongestNameThatFits() {
        String settings = """
                dynajournal.projection {
                  offset-time-to-live = 10 days
                  projections {
                    "cart-view" { start = now }
                    "audit-*" { offset-time-to-live = 2 days }
                    "audit-all-*" { offset-time-to-live = off }
                  }
                }
                """;
        assertThat(read(settings, "cart-view").startsNow()).isTrue();
        assertThat(read(settings, "cart-view").timeToLive()).isEqualTo(Duration.ofDays(10));
        assertThat(read(settings, "cart-view-2").startsNow()).isFalse();
        assertThat(read(settings, "audit-1").timeToLive()).isEqualTo(Duration.ofDays(2));
        assertThat(read(settings, "audit-all-1").timeToLive()).isNull();
    }

    @Test
    void rejectsWhatIsWrong() {
        assertThatThrownBy(() -> read("dynajournal.projection.offset-time-to-live = 1 h"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("dynajournal.projection.offset-time-to-live")
                .hasMessageContaining("at least 1 day");
        assertThatThrownBy(() -> read("dynajournal.projection.tracked-entities = 10"))
                .hasMessageContaining("tracked-entities");
        assertThatThrownBy(() -> read("dynajournal.projection.flush-intervall = 10 s"))
                .hasMessageContaining("Did you mean flush-interval?");
        assertThatThrownBy(() -> read("dynajournal.projection.projections.x.strat = now"))
                .hasMessageContaining("dynajournal.projection.projections.x.strat")
                .hasMessageContaining("Did you mean start?");
    }

    @Test
    void aCopyMayHaveAnyName() {
        Config root = ConfigFactory.load(ConfigFactory.parseString(
                "mine = ${dynajournal.projection}, mine.table = other, dynajournal.more = ${dynajournal.projection}"));
        RootBlock.check(root);
        assertThat(ProjectionConfig.of(root, "mine").table().name()).isEqualTo("other");
    }
}
