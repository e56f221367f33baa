package io.dynajournal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.EmbeddedServer;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ParentDeathTest {

    /** The class path of the parent has this module and core, and nothing of DynamoDB Local. */
    @Test
    void theServerDiesWithAParentThatIsKilled() throws Exception {
        Process parent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Ddynajournal-local.repository="
                                + MavenRepository.find().root(),
                        "-cp",
                        String.join(
                                File.pathSeparator,
                                placeOf(DynamoLocal.class),
                                placeOf(ParentMain.class),
                                placeOf(EmbeddedServer.class)),
                        ParentMain.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            ProcessHandle server = serverOf(parent);
            assertThat(server.isAlive()).isTrue();

            parent.destroyForcibly().waitFor();

            server.onExit().get(20, TimeUnit.SECONDS);
            assertThat(server.isAlive()).isFalse();
        } finally {
            parent.destroyForcibly();
        }
    }

    private static ProcessHandle serverOf(Process parent) throws IOException {
        String pid = parent.inputReader().readLine();
        assertThat(pid).as("the server's process id").isNotNull();
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    private static String placeOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }
}
