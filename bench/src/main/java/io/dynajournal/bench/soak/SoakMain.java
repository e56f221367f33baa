package io.dynajournal.bench.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The command {@code bench/soak}. */
final class SoakMain {

    private SoakMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        SoakArguments arguments;
        try {
            arguments = SoakArguments.of(List.of(args));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(SoakArguments.USAGE);
            System.exit(2);
            return;
        }
        Path root = Path.of(System.getProperty("bench.root"));
        Path directory = Files.createTempDirectory(Files.createDirectories(root.resolve("bench/target")), "soak-");
        System.out.println("seed " + arguments.seed() + ", tables, ledgers and logs in " + directory);
        SoakResult result = Soak.run(arguments, root, directory);
        System.out.println(result);
        System.exit(result.passed() ? 0 : 1);
    }
}
