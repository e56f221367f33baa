package io.dynajournal.bench.soak;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;

/**
 * The arguments of {@code bench/soak}.
 *
 * @param betweenKills mean time between two kills
 * @param kills the minimum number of kills, however long it takes
 * @param faults the probability that a request gets a fault
 * @param entities of each process, half of which delete events
 * @param thinkMillis mean time between two operations of an entity
 */
record SoakArguments(
        Duration time, Duration betweenKills, int kills, double faults, int entities, int thinkMillis, long seed) {

    static final String USAGE = """
        usage: bench/soak [--seconds 600] [--seconds-between-kills 18] [--kills 3] [--faults 0.03] [--entities 20]
                          [--think-millis 300] [--seed n]
        --seconds                how long the load lasts
        --seconds-between-kills  mean time between two kills of a process or of the server
        --faults                 the share of requests that get a fault
        --entities               entities of each of the three processes
        --think-millis           mean time between two operations of an entity
        --seed                   of the faults and kills; printed by every run\
        """;

    static SoakArguments of(List<String> words) {
        long seconds = 600;
        long betweenKills = 18;
        int kills = 3;
        double faults = 0.03;
        int entities = 20;
        int think = 300;
        long seed = System.nanoTime() & 0xffff_ffffL;
        Iterator<String> word = words.iterator();
        while (word.hasNext()) {
            String option = word.next();
            if (!word.hasNext()) {
                throw new IllegalArgumentException(option + " needs a value");
            }
            String value = word.next();
            switch (option) {
                case "--seconds" -> seconds = Long.parseLong(value);
                case "--seconds-between-kills" -> betweenKills = Long.parseLong(value);
                case "--kills" -> kills = Integer.parseInt(value);
                case "--faults" -> faults = Double.parseDouble(value);
                case "--entities" -> entities = Integer.parseInt(value);
                case "--think-millis" -> think = Integer.parseInt(value);
                case "--seed" -> seed = Long.parseLong(value);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new SoakArguments(
                Duration.ofSeconds(seconds), Duration.ofSeconds(betweenKills), kills, faults, entities, think, seed);
    }
}
