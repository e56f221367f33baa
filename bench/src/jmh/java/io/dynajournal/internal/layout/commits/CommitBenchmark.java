package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.wire.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Framing, encoding and decoding of a commit of events of 200 random bytes, without any request. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class CommitBenchmark {

    private static final int EVENT_BYTES = 200;
    private static final long NOW = 1_794_700_800_000_123L;

    @Param({"1", "10", "100"})
    int events;

    @Param({"true", "false"})
    boolean compression;

    private final WriterId writer = new WriterId(new UUID(1, 2));
    private final LogEnd last = new LogEnd(41, NOW - 1, writer.toString(), 0);
    private EventBatch batch;
    private byte[] frame;
    private Item item;

    @Setup
    public void prepare() {
        Random random = new Random(4711);
        List<Event> write = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            byte[] bytes = new byte[EVENT_BYTES];
            random.nextBytes(bytes);
            write.add(Event.of(new Payload(17, "e", bytes)));
        }
        batch = EventBatch.of("cart|4711", writer.toString(), 42, write);
        frame = Frame.seal(CommitFrame.encode(batch.writes()), Frame.Covered.NOTHING_ELSE);
        item = encodeItem();
    }

    @Benchmark
    public byte[] frame() {
        return CommitFrame.encode(batch.writes());
    }

    @Benchmark
    public List<List<Event>> unframe() {
        return CommitFrame.decode(frame, Frame.Covered.NOTHING_ELSE);
    }

    /** The work of a write before its request. */
    @Benchmark
    public Item encodeItem() {
        Item head = CommitItems.commit(batch, writer, last, NOW, 16);
        PayloadFit fit = PayloadFit.of(
                head,
                CommitFrame.encode(batch.writes()),
                (commit, inParts) -> CommitItems.covered(commit),
                399_360,
                compression);
        return head.bytes(CommitItems.payloadName(head, fit.bytes().length), fit.bytes());
    }

    /** The work of a read after its response. */
    @Benchmark
    public List<List<StoredEvent>> decodeItem() {
        CommitItems.Entry entry = CommitItems.entry("events", item);
        return entry.writes(entry.payload());
    }
}
