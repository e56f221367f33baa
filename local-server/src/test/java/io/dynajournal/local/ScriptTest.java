package io.dynajournal.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script of the repository's root, with a state directory of its own. */
@EnabledOnOs({OS.LINUX, OS.MAC})
final class ScriptTest {

    private static final Pattern ENDPOINT = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");

    private record Result(int status, String output) {}

    @TempDir
    Path state;

    @AfterEach
    void stopWhatATestLeft() throws Exception {
        run("stop");
    }

    @Test
    void startsOnceAndStops() throws Exception {
        Result started = run("start", "--port", "0");
        assertThat(started.status()).as(started.output()).isZero();
        URI endpoint = endpointIn(started);
        assertThat(new Requests(endpoint).listTables()).contains("TableNames");

        assertThat(run("start").output()).contains("runs already at " + endpoint);
        assertThat(run("status").output()).contains("runs at " + endpoint);
        assertThat(run("stop").output()).contains("is stopped");
        assertThat(run("status").output()).contains("does not run");
        assertThat(run("stop").output()).contains("does not run");
    }

    @Test
    void keepsTablesInADirectory(@TempDir Path tables) throws Exception {
        URI endpoint = endpointIn(run("start", "--port", "0", "--dir", tables.toString()));
        new Requests(endpoint).createTable("kept");

        assertThat(tables).isDirectoryContaining("glob:**.db");
    }

    @Test
    void refusesWhatItDoesNotKnow() throws Exception {
        for (List<String> wrong : List.of(
                List.<String>of(),
                List.of("restart"),
                List.of("start", "--port"),
                List.of("start", "--port", "http"),
                List.of("start", "--dir"),
                List.of("stop", "now"))) {
            Result result = run(wrong.toArray(String[]::new));

            assertThat(result.status()).as("%s", wrong).isEqualTo(2);
            assertThat(result.output()).as("%s", wrong).startsWith("usage: ");
        }
    }

    private static URI endpointIn(Result started) {
        Matcher endpoint = ENDPOINT.matcher(started.output());
        assertThat(endpoint.find()).as(started.output()).isTrue();
        return URI.create(endpoint.group());
    }

    private Result run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "../local"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .putAll(Map.of(
                        "DYNAJOURNAL_LOCAL_STATE", state.toString(),
                        "JAVA_HOME", System.getProperty("java.home"),
                        "JDK_JAVA_OPTIONS",
                                "-Ddynajournal-local.repository="
                                        + MavenRepository.find().root()));
        Process script = builder.start();
        String output = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(script.waitFor(), output);
    }
}
