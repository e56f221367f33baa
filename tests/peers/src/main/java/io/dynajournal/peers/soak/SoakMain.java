package io.dynajournal.peers.soak;

import akka.actor.ActorSystem;
import com.typesafe.config.ConfigFactory;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Arguments: the configuration; {@code load}, {@code observe} (load and a live query) or {@code read}; the ledger file; the
 * milliseconds between two operations of an entity; then the groups of entities and their size, such as {@code a 10}.
 *
 * <p>Commands on the standard input, each answered by a line: {@code sample}; {@code calm} and then {@code waiting}, which
 * names the entities that have had nothing acknowledged since; {@code stop}, after which nothing is written; {@code seen},
 * which writes what the live query has shown to the ledger. The process ends with its input.
 */
final class SoakMain {

    /** The entity type of those that delete nothing. */
    private static final String KEEPING = "SoakKeeps";

    private SoakMain() {}

    public static void main(String[] args) throws Exception {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        // The toolkits and the SDKs log to the standard output, which is for answers here.
        System.setOut(System.err);
        ActorSystem system = ActorSystem.create("soak", ConfigFactory.load(args[0]));
        SoakLedger ledger = new SoakLedger(args[2]);
        List<String> ids = IntStream.iterate(4, i -> i < args.length, i -> i + 2)
                .boxed()
                .flatMap(i -> ids(args[i], Integer.parseInt(args[i + 1])))
                .toList();
        if (args[1].equals("read")) {
            CountDownLatch done = new CountDownLatch(ids.size());
            ids.forEach(id -> system.actorOf(FinalReader.props(id, ledger, done)));
            done.await();
            answers.println("read");
        } else {
            SoakCounters counters = new SoakCounters();
            var node = system.actorOf(SoakNode.props(ids, ledger, counters, Integer.parseInt(args[3])));
            SoakQuery query = new SoakQuery(system, KEEPING, ledger);
            if (args[1].equals("observe")) {
                query.run();
            }
            serve(answers, counters, ids, () -> system.stop(node), query);
        }
        Runtime.getRuntime().halt(0);
    }

    private static Stream<String> ids(String group, int count) {
        return Stream.of(KEEPING, SoakEntity.DELETING)
                .flatMap(type -> IntStream.range(0, count).mapToObj(number -> type + "|" + group + number));
    }

    private static void serve(
            PrintStream answers, SoakCounters counters, List<String> ids, Runnable stop, SoakQuery query)
            throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            switch (line) {
                case "sample" -> answers.println(counters.sample());
                case "calm" -> {
                    counters.waiting.addAll(ids);
                    answers.println("calm");
                }
                case "waiting" -> answers.println(String.join(" ", counters.waiting));
                case "stop" -> {
                    stop.run();
                    answers.println("stopped");
                }
                case "seen" -> {
                    query.report();
                    answers.println("seen");
                }
                default -> throw new IllegalArgumentException("unknown command " + line);
            }
        }
    }
}
