package io.dynajournal.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Directories, and options for the plugins' JVMs.
 *
 * @param peers the directory of the load programs
 * @param target for logs
 * @param results for reports
 * @param document docs/performance.md
 * @param javaOptions further options for the JVMs
 * @param recording whether the JVMs write flight recordings
 */
record Setup(Path peers, Path target, Path results, Path document, List<String> javaOptions, boolean recording) {

    Path log(String plugin) {
        return target.resolve("compare-" + plugin + ".log");
    }

    List<String> javaOptions(String plugin) {
        List<String> options = new ArrayList<>(javaOptions);
        if (recording) {
            // Otherwise it writes to the standard output, which is for answers.
            options.add("-Xlog:jfr+startup=error");
            options.add("-XX:StartFlightRecording:settings=profile,filename=" + target.resolve(plugin + ".jfr"));
        }
        return options;
    }
}
