package io.dynajournal.bench.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Compares what was acknowledged with what is stored. Ledgers are added in the order in which their processes ran, those of
 * the same entities one after another; the one that was written at the end, with all that is stored, comes last.
 */
final class LedgerCheck {

    private static final class Entity {
        final TreeMap<Long, String> acknowledged = new TreeMap<>();
        final Map<Long, String> stored = new HashMap<>();
        long seen;
        long count = -1;
        String link = "";
    }

    private final Map<String, Entity> entities = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private long acknowledged;

    /** A ledger of a process that wrote. */
    LedgerCheck add(Path ledger) throws IOException {
        lines(ledger, false);
        return this;
    }

    /** The ledger that was written when all was over, of all entities; the problems found. */
    List<String> compare(Path last) throws IOException {
        entities.values().forEach(entity -> entity.count = -1);
        lines(last, true);
        entities.forEach((id, entity) -> {
            if (entity.count < 0) {
                problems.add(id + " was not recovered at the end");
                return;
            }
            entity.acknowledged.forEach((number, link) -> compare(id, entity, number, link));
        });
        return List.copyOf(problems);
    }

    private void compare(String id, Entity entity, long number, String link) {
        String stored = entity.stored.get(number);
        if (number > entity.count) {
            problems.add(id + ": event " + number + " was acknowledged and is not stored; the last is " + entity.count);
        } else if (stored == null ? !deletes(id) : !stored.equals(link)) {
            problems.add(
                    id + ": event " + number + " was acknowledged with link " + link + " and is stored as " + stored);
        } else if (number == entity.count && !entity.link.equals(link)) {
            problems.add(id + ": the last event " + number + " was acknowledged with link " + link
                    + ", and the entity recovered with " + entity.link);
        }
    }

    private static boolean deletes(String id) {
        return id.startsWith("SoakDeletes");
    }

    /** The live query has shown all events of the entities that keep theirs. */
    List<String> unseen() {
        List<String> unseen = new ArrayList<>();
        entities.forEach((id, entity) -> {
            if (!deletes(id) && entity.seen < entity.count) {
                unseen.add(id + ": the live query has shown " + entity.seen + " of " + entity.count + " events");
            }
        });
        return unseen;
    }

    long acknowledged() {
        return acknowledged;
    }

    private void lines(Path ledger, boolean last) throws IOException {
        try (Stream<String> lines = Files.lines(ledger)) {
            lines.forEach(line -> line(line.split("\t", -1), last));
        }
    }

    private void line(String[] fields, boolean last) {
        Entity entity = entities.computeIfAbsent(fields[1], id -> new Entity());
        switch (fields[0]) {
            case "acknowledged" -> {
                acknowledged++;
                String before = entity.acknowledged.put(Long.parseLong(fields[2]), fields[4]);
                if (before != null && !before.equals(fields[4])) {
                    problems.add(fields[1] + ": two events were acknowledged as number " + fields[2]);
                }
            }
            case "replayed" -> entity.stored.put(Long.parseLong(fields[2]), fields[4]);
            case "recovered" -> recovered(fields[1], entity, Long.parseLong(fields[2]), fields[3], last);
            case "seen" -> entity.seen = Long.parseLong(fields[2]);
            case "violation" -> problems.add(fields[1] + ": " + fields[2]);
            default -> throw new IllegalArgumentException("not a line of a ledger: " + String.join(" ", fields));
        }
    }

    private void recovered(String id, Entity entity, long count, String link, boolean last) {
        if (!entity.acknowledged.isEmpty() && entity.acknowledged.lastKey() > count) {
            problems.add(id + ": recovered with " + count + " events after event " + entity.acknowledged.lastKey()
                    + " was acknowledged");
        }
        if (last) {
            entity.count = count;
            entity.link = link;
        }
    }
}
