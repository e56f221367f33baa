package io.dynajournal.interop;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Settings, persistence ids and sizes that the documentation does not show. */
abstract class UnusualInteropTests extends TwoPeers {

    /** Further stories: {@code -Ddynajournal.interop.seeds=100}, and {@code -Ddynajournal.interop.seed} to begin with another one. */
    private static final int SEEDS = Integer.getInteger("dynajournal.interop.seeds", 1);

    private static final long FIRST_SEED = Long.getLong("dynajournal.interop.seed", 4711);

    private static final int COMMANDS = 40;

    UnusualInteropTests(String theirModule, String ourModule, String configuration) {
        super(theirModule, ourModule, configuration);
    }

    /** Each is tried with each prefix. */
    abstract List<RandomStory.Limits> limits();

    /** Prefixes of persistence ids. */
    abstract List<String> prefixes();

    /** Both own the entity in turn. */
    @ParameterizedTest
    @EnumSource
    void randomStories(First first) {
        long story = first == First.THEY ? 0 : 1;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            for (String prefix : prefixes()) {
                for (RandomStory.Limits limits : limits()) {
                    story += 2;
                    RandomStory.run(1_000 * seed + story, List.of(one(first), other(first)), limits, prefix, COMMANDS);
                }
            }
        }
    }

    /** Close to the maximum size of an item, and more than a megabyte together, so that a replay takes several pages. */
    @ParameterizedTest
    @EnumSource
    void largeEvents(First first) {
        story("cart-", limits().get(0).stores().get(0))
                .ownedBy(one(first))
                .persist(1, 390_000)
                .ownedBy(other(first))
                .persistAll(4, 300_000)
                .ownedBy(one(first))
                .persist(1)
                .deleteEventsTo(5)
                .ownedBy(other(first))
                .persistAll(2, 1_000)
                .ownedBy(one(first));
    }
}
