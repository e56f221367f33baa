package io.dynajournal.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where things are, and how JVMs are started.
 *
 * @param peers the directory of the programs
 * @param target for logs
 * @param results for what is measured
 * @param document the one about performance
 * @param javaOptions more options for the JVMs of plugins
 * @param recording whether those JVMs record where their time goes
 */
record Setup(Path peers, Path target, Path results, Path document, List<String> javaOptions, boolean recording) {

    Path log(String plugin) {
        return target.resolve("compare-" + plugin + ".log");
    }

    List<String> javaOptions(String plugin) {
        List<String> options = new ArrayList<>(javaOptions);
        if (recording) {
            // It would write to the standard output, which the answers have.
            options.add("-Xlog:jfr+startup=error");
            options.add("-XX:StartFlightRecording:settings=profile,filename=" + target.resolve(plugin + ".jfr"));
        }
        return options;
    }
}
