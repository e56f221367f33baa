package io.dynajournal.peers.load;

import io.dynajournal.peers.load.Load.Write;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

/**
 * Reads commands until the standard input ends. A command is a line of fields with tabs between, the first of which comes
 * back in the answer, because commands overlap:
 *
 * <pre>
 * number start group entities
 * number stop group
 * number write group how times events bytes
 * number snapshot group bytes
 * </pre>
 *
 * Each is answered by {@code number done} with the fields of {@link Phase#end}, or by {@code number failed reason}.
 */
final class Commands {

    private final Load load;
    private final PrintStream answers;

    private Commands(Load load, PrintStream answers) {
        this.load = load;
        this.answers = answers;
    }

    /** Does not return while there is input. */
    static void serve(Callable<Load> opened) throws Exception {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        // The toolkits and the SDKs log to the standard output, which is ours.
        System.setOut(System.err);
        new Commands(opened.call(), answers).serve();
        // Whatever threads a client has left.
        System.exit(0);
    }

    private void serve() throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] fields = line.split("\t", -1);
            Phase phase = begin(fields);
            phase.end().whenComplete((figures, failure) -> {
                if (failure == null) {
                    answers.println(fields[0] + "\tdone\t" + figures);
                } else {
                    failure.printStackTrace();
                    answers.println(
                            fields[0] + "\tfailed\t" + failure.toString().replaceAll("\\s+", " "));
                }
            });
        }
    }

    private Phase begin(String[] fields) {
        String group = fields[2];
        switch (fields[1]) {
            case "start" -> {
                Phase phase = new Phase(number(fields, 3));
                load.start(group, number(fields, 3), phase);
                return phase;
            }
            case "stop" -> {
                Phase phase = new Phase(1);
                load.stop(group, phase);
                return phase;
            }
            case "write" -> {
                Write write = new Write(fields[3], number(fields, 4), number(fields, 5), number(fields, 6));
                Phase phase = new Phase(load.running(group) * write.times());
                load.write(group, write, phase);
                return phase;
            }
            case "snapshot" -> {
                Phase phase = new Phase(load.running(group));
                load.snapshot(group, number(fields, 3), phase);
                return phase;
            }
            default -> throw new IllegalArgumentException("unknown command " + fields[1]);
        }
    }

    private static int number(String[] fields, int index) {
        return Integer.parseInt(fields[index]);
    }
}
