package io.dynajournal.peers.soak;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** What a process did, and what it needs. Thread-safe. */
final class SoakCounters {

    final AtomicLong acknowledged = new AtomicLong();
    final AtomicLong recoveries = new AtomicLong();
    final AtomicLong failures = new AtomicLong();
    /** Entities that have had nothing acknowledged since they were last asked. */
    final Set<String> waiting = ConcurrentHashMap.newKeySet();

    /** Heap after a collection, threads, open sockets (-1 if unknown), then the counters. */
    String sample() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
                + "\t"
                + ManagementFactory.getThreadMXBean().getThreadCount()
                + "\t"
                + sockets()
                + "\t"
                + acknowledged
                + "\t"
                + recoveries
                + "\t"
                + failures;
    }

    private static int sockets() {
        File[] open = new File("/proc/self/fd").listFiles();
        if (open == null) {
            return -1;
        }
        return (int) Stream.of(open).filter(SoakCounters::isSocket).count();
    }

    private static boolean isSocket(File file) {
        try {
            return Files.readSymbolicLink(file.toPath()).toString().startsWith("socket:");
        } catch (IOException e) {
            // Closed since it was listed.
            return false;
        }
    }
}
