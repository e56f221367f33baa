package io.dynajournal.peers.load;

import io.dynajournal.peers.load.Load.Rate;
import io.dynajournal.peers.load.Load.Write;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Reads commands until the standard input ends. A command is a line of fields separated by tabs. The answer repeats the first
 * field, because commands overlap:
 *
 * <pre>
 * number start group entities
 * number stop group
 * number write group how times events bytes
 * number snapshot group bytes
 * number project group kind name events
 * number persist-at-rate group perSecond leadInMillis millis bytes seed
 * </pre>
 *
 * Each is answered by {@code number done} with the fields of {@link Measurement#fields}, or by {@code number failed reason}.
 */
final class Commands {

    private final Load load;
    private final PrintStream answers;

    private Commands(Load load, PrintStream answers) {
        this.load = load;
        this.answers = answers;
    }

    /** Returns when the input ends. */
    static void serve(Callable<Load> opened) throws Exception {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        // The toolkits and the SDKs log to the standard output, which is for answers here.
        System.setOut(System.err);
        new Commands(opened.call(), answers).serve();
        // A client may have left threads running.
        System.exit(0);
    }

    private void serve() throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] fields = line.split("\t", -1);
            begin(fields).whenComplete((figures, failure) -> {
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

    private CompletableFuture<String> begin(String[] fields) {
        String group = fields[2];
        switch (fields[1]) {
            case "start" -> {
                Measurement measurement = new Measurement(number(fields, 3));
                load.start(group, number(fields, 3), measurement);
                return measurement.result();
            }
            case "stop" -> {
                Measurement measurement = new Measurement(1);
                load.stop(group, measurement);
                return measurement.result();
            }
            case "write" -> {
                Write write = new Write(fields[3], number(fields, 4), number(fields, 5), number(fields, 6));
                Measurement measurement = new Measurement(load.running(group) * write.times());
                load.write(group, write, measurement);
                return measurement.result();
            }
            case "snapshot" -> {
                Measurement measurement = new Measurement(load.running(group));
                load.snapshot(group, number(fields, 3), measurement);
                return measurement.result();
            }
            case "project" -> {
                Measurement measurement = new Measurement(1);
                load.project(group, new Load.Run(fields[3], fields[4], number(fields, 5)), measurement);
                return measurement.result();
            }
            case "persist-at-rate" -> {
                Rate rate = new Rate(
                        number(fields, 3), number(fields, 4), number(fields, 5), number(fields, 6), number(fields, 7));
                return load.persistAtRate(group, rate);
            }
            default -> throw new IllegalArgumentException("unknown command " + fields[1]);
        }
    }

    private static int number(String[] fields, int index) {
        return Integer.parseInt(fields[index]);
    }
}
