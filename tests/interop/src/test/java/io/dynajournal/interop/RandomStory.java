package io.dynajournal.interop;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random commands of one entity with changing owners. Each new owner must recover what the model says, to the last event.
 *
 * <p>Left out is what the predecessors are known to lose or to fail on:
 *
 * <ul>
 *   <li>deletes inside an atomic write;
 *   <li>their deletes of what is stored under keys of another resolver: j5ik2o's plugin marks a copy under its own keys instead;
 *   <li>their rejections of sequence numbers that are multiples of 100: 1.x then writes no high mark, and loses what follows.
 *       {@code V1InteropTests#theHighMarkThatTheirRejectedEventLacksIsWritten} has it.
 * </ul>
 */
final class RandomStory {

    private static final int MAX_STATE_BYTES = 90_000;

    /** The number of sequence numbers for each high mark of 1.x. */
    private static final int PARTITION = 100;

    /**
     * What may occur.
     *
     * @param stores which the entity may move between; the first one begins
     * @param most the maximum number of events of an atomic write
     * @param ours the peer that is not the predecessor
     */
    record Limits(List<String> stores, int most, Peer ours) {}

    private final SplittableRandom random;
    private final List<Peer> peers;
    private final Limits limits;
    private final Story story;

    private final List<String> told = new ArrayList<>();

    /** Where atomic writes end. */
    private final List<Long> ends = new ArrayList<>();

    private RandomStory(long seed, List<Peer> peers, Limits limits, String prefix) {
        this.random = new SplittableRandom(seed);
        this.peers = peers;
        this.limits = limits;
        this.story = TwoPeers.story(prefix, limits.stores().get(0));
    }

    /** Executes a number of commands, and lets each peer recover at the end. */
    static void run(long seed, List<Peer> peers, Limits limits, String prefix, int commands) {
        RandomStory run = new RandomStory(seed, peers, limits, prefix);
        try {
            run.move();
            for (int i = 0; i < commands; i++) {
                run.next();
            }
            peers.forEach(run.story::ownedBy);
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + " after " + run.told + ": " + e.getMessage(), e);
        }
    }

    private void next() {
        int count = 2 + random.nextInt(random.nextInt(3) == 0 ? limits.most() - 1 : 8);
        // Mostly small.
        int padding = random.nextInt(3) > 0 ? random.nextInt(50) : random.nextInt(9_000);
        switch (random.nextInt(12)) {
            case 0, 1 -> {
                tell("persist " + (1 + count % 4) + " of " + padding);
                wrote(story.persist(1 + count % 4, padding), true);
            }
            case 2, 3 -> {
                int size = count > 10 ? 0 : padding;
                tell("persistAll " + count + " of " + size);
                wrote(story.persistAll(count, size), false);
            }
            case 4, 5 -> {
                tell("persistEach " + count);
                wrote(story.persistEach(count), true);
            }
            case 6 -> {
                if (mayReject()) {
                    tell("reject");
                    story.reject();
                }
            }
            case 7 -> {
                if (story.mayBeSaved(MAX_STATE_BYTES)) {
                    tell("snapshot at " + story.stored());
                    story.snapshot();
                }
            }
            case 8 -> {
                if (!ends.isEmpty() && mayDelete()) {
                    long to = ends.get(random.nextInt(ends.size()));
                    tell("deleteEventsTo " + to);
                    story.deleteEventsTo(to);
                }
            }
            case 9 -> {
                if (mayDelete()) {
                    long to = random.nextLong(story.stored() + 2);
                    tell("deleteSnapshotsTo " + to);
                    story.deleteSnapshotsTo(to);
                }
            }
            default -> move();
        }
    }

    private boolean mayDelete() {
        return limits.stores().size() == 1 || story.isOwnedBy(limits.ours());
    }

    private boolean mayReject() {
        return story.next() % PARTITION != 0 || story.isOwnedBy(limits.ours());
    }

    private void tell(String command) {
        told.add(command);
    }

    private void wrote(Story written, boolean single) {
        long from = ends.isEmpty() ? 1 : ends.get(ends.size() - 1) + 1;
        for (long end = single ? from : written.stored(); end <= written.stored(); end++) {
            ends.add(end);
        }
    }

    private void move() {
        String store = limits.stores().get(random.nextInt(limits.stores().size()));
        Peer owner = peers.get(random.nextInt(peers.size()));
        tell(owner.name() + (store.isEmpty() ? "" : " with " + store));
        story.in(store).ownedBy(owner);
    }
}
