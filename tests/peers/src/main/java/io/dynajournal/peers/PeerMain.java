package io.dynajournal.peers;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.pattern.Patterns;
import com.typesafe.config.ConfigFactory;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;

/**
 * Reads commands until the standard input ends. A command is a line of fields separated by tabs:
 *
 * <pre>
 * start id journal-plugin snapshot-plugin   recovers, and reports the snapshot and each event; empty plugins are the default
 * stop id
 * persist id count padding                  count writes of one event, one after another; padding makes each larger
 * persistEach id count                      count concurrent writes of one event
 * persistAll id count padding               one write of count events
 * persistAllAndSnapshotAt id count number   the same, and a snapshot in the handler of that sequence number
 * reject id                                 an event that cannot be serialized
 * snapshot id
 * deleteEventsTo id number
 * deleteSnapshot id number
 * deleteSnapshotsTo id number
 * </pre>
 *
 * Each is answered by a line {@code done last-sequence-number} or {@code failed reason}. Arguments: the name of the
 * configuration, and a prefix for the texts of events.
 */
final class PeerMain {

    record Start(String persistenceId, String journal, String snapshots) {}

    record Command(String name, long number, long second, Answer answer) {}

    private final ActorSystem system;
    private final String author;
    private final Map<String, ActorRef> entities = new HashMap<>();

    private PeerMain(ActorSystem system, String author) {
        this.system = system;
        this.author = author;
    }

    public static void main(String[] args) throws Exception {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        // The toolkits and the SDKs log to the standard output, which is for answers here.
        System.setOut(System.err);
        ActorSystem system = ActorSystem.create("peer", ConfigFactory.load(args[0]));
        PeerMain peer = new PeerMain(system, args[1]);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            peer.answer(line.split("\t", -1)).forEach(answers::println);
        }
        // A client may have left threads running.
        Runtime.getRuntime().halt(0);
    }

    private List<String> answer(String[] fields) throws InterruptedException, ExecutionException {
        String id = fields[1];
        Answer answer = new Answer();
        switch (fields[0]) {
            case "start" -> {
                stop(id);
                Start start = new Start(id, fields[2], fields[3]);
                entities.put(id, system.actorOf(PeerEntity.props(start, author, answer)));
            }
            case "stop" -> {
                stop(id);
                answer.done(0);
            }
            default ->
                Objects.requireNonNull(entities.get(id), id)
                        .tell(
                                new Command(fields[0], number(fields, 2), number(fields, 3), answer),
                                ActorRef.noSender());
        }
        return answer.await();
    }

    private void stop(String id) throws InterruptedException, ExecutionException {
        ActorRef running = entities.remove(id);
        if (running != null) {
            Patterns.gracefulStop(running, Duration.ofSeconds(10))
                    .toCompletableFuture()
                    .get();
        }
    }

    private static long number(String[] fields, int index) {
        return index < fields.length ? Long.parseLong(fields[index]) : 0;
    }
}
