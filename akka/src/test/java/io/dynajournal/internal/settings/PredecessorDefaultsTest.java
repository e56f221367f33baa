package io.dynajournal.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import akka.persistence.Persistence;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import io.dynajournal.internal.layout.sclasen.SclasenJournal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The predecessors' own defaults: substitutions of their keys resolve, and nothing that is not set counts as set. */
final class PredecessorDefaultsTest {

    private static Config root(String settings) {
        return ConfigFactory.load(ConfigFactory.parseString(settings));
    }

    private static PluginBlock plugin(Config root, String path) {
        Config fallback = root.getConfig(
                path.contains("snapshot")
                        ? Persistence.SnapshotStoreFallbackConfigPath()
                        : Persistence.JournalFallbackConfigPath());
        return new PluginBlock(root, root.getConfig(path).withFallback(fallback), path, fallback, "toolkit");
    }

    private static JournalConfig journal(String path, String settings) {
        return JournalConfig.of(plugin(root(settings), path));
    }

    @ParameterizedTest
    @CsvSource({
        "dynamodb-journal.aws-client-config.max-connections, default",
        "dynamodb-journal.aws-api-limits.max-batch-write, 25",
        "dynamodb-journal.sequence-shards, 10",
        "dynamodb-snapshot-store.aws-client-config.user-agent, default",
        "dynamodb-read-journal.persistence-ids-index-name, persistence-ids-idx",
        "j5ik2o.dynamo-db-journal.replay-batch-size, 512",
        "j5ik2o.dynamo-db-snapshot.columns-def.created-column-name, created",
        "j5ik2o.dynamo-db-state.columns-def.revision-nr-column-name, revision-nr",
        "j5ik2o.dynamo-db-state.dynamo-db-client.v2.async.max-concurrency, 50",
        "j5ik2o.dynamo-db-defaults.read-backoff.random-factor, 0.8",
        "'\"akka\".persistence.dynamodb.journal.publish-events-number-of-topics', 128",
        "'\"akka\".persistence.dynamodb.client.http.tls-negotiation-timeout', 5 seconds"
    })
    void substitutionsOfTheirKeysResolve(String key, String value) {
        assertThat(root("mine = ${" + key + "}").getString("mine")).isEqualTo(value);
    }

    /** As in the predecessor's own settings, a substitution takes whatever is configured. */
    @Test
    void substitutionsTakeWhatIsConfigured() {
        Config root = root("mine = ${j5ik2o.dynamo-db-journal.shard-count}, j5ik2o.dynamo-db-journal.shard-count = 7");
        assertThat(root.getInt("mine")).isEqualTo(7);
        assertThat(root("mine = ${j5ik2o.dynamo-db-journal.replay-batch-refresh-interval}")
                        .getIsNull("mine"))
                .isTrue();
        assertThat(root("j5ik2o.dynamo-db-defaults.dynamo-db-client.region = eu-west-1")
                        .getString("j5ik2o.dynamo-db-state.dynamo-db-client.region"))
                .isEqualTo("eu-west-1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dynamodb-journal",
                "dynamodb-read-journal",
                "mine",
                "copy.journal",
                "j5ik2o.dynamo-db-journal",
                "j5ik2o.dynamo-db-read-journal"
            })
    void defaultsOfTheirsCauseNoWarning(String path) {
        assertThat(journal(path, """
                mine = ${dynamodb-journal}
                mine.aws-client-config = ${dynamodb-journal.aws-client-config}
                mine.aws-client-config.max-connections = 20
                copy = ${"akka".persistence.dynamodb}
                """).warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dynamodb-snapshot-store", "copy.snapshot", "j5ik2o.dynamo-db-snapshot"})
    void defaultsOfTheirSnapshotStoresCauseNoWarning(String path) {
        assertThat(SnapshotConfig.of(plugin(root("copy = ${\"akka\".persistence.dynamodb}"), path))
                        .warnings())
                .isEmpty();
        Config root = root("");
        assertThat(StateConfig.of(new PluginBlock(
                                root,
                                root.getConfig("j5ik2o.dynamo-db-state"),
                                "j5ik2o.dynamo-db-state",
                                ConfigFactory.empty(),
                                "toolkit"))
                        .warnings())
                .isEmpty();
    }

    @Test
    void defaultThatStandsForAnotherKeyIsSet() {
        J5Journal layout = (J5Journal) journal(
                        "j5ik2o.dynamo-db-journal",
                        "j5ik2o.dynamo-db-journal.shard-count = ${j5ik2o.dynamo-db-journal.replay-batch-size}")
                .layouts()
                .get(0);
        assertThat(layout.keys()).asString().contains("512");
    }

    /** 0.3 has another default, so a value that 1.x has by default may have been set for a table of 0.3. */
    @Test
    void defaultOf1ThatIsSetExplicitlyHoldsFor03() {
        SclasenJournal old = (SclasenJournal) journal("dynamodb-journal", "dynamodb-journal.sequence-shards = 10")
                .layouts()
                .get(1);
        assertThat(old.sequenceShards()).isEqualTo(10);
    }

    @Test
    void flatTimeToLiveOf2IsNotOverriddenByNestedDefaults() {
        Akka2Journal layout = (Akka2Journal) journal(
                        "copy.journal",
                        "copy = ${\"akka\".persistence.dynamodb}, copy.time-to-live.use-time-to-live-for-deletes = 7 days")
                .layouts()
                .get(0);
        assertThat(layout.timeToLive().of("Cart|1").checkExpiry()).isFalse();
        assertThat(layout.timeToLive().of("Cart|1").deletes()).isNotNull();
    }

    @Test
    void classOfAPredecessorChoosesTheLayoutOfABlockOfItsOwn() {
        String prefix = Persistence.class.getPackageName();
        assertThat(journal(
                                "mine",
                                "mine { class = \"" + prefix + ".journal.dynamodb.DynamoDBJournal\""
                                        + ", journal-table = old }")
                        .layouts())
                .singleElement()
                .isInstanceOf(SclasenJournal.class);
        assertThat(journal(
                                "mine",
                                "mine { class = \"" + prefix + ".dynamodb.journal.DynamoDBJournal\""
                                        + ", journal-table = old }")
                        .layouts())
                .singleElement()
                .isInstanceOf(Akka1Journal.class);
        assertThat(journal(
                                "mine.journal",
                                "mine.journal { class = \"" + prefix
                                        + ".dynamodb.journal.DynamoDBJournal\", table = old }")
                        .layouts())
                .singleElement()
                .isInstanceOf(Akka2Journal.class);
        assertThat(journal(
                                "mine",
                                "mine { class = \"com.github.j5ik2o.any.persistence.dynamodb.journal"
                                        + ".DynamoDBJournal\", table-name = old }")
                        .layouts())
                .singleElement()
                .isInstanceOf(J5Journal.class);
    }
}
