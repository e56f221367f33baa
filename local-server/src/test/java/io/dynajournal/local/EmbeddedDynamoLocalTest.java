package io.dynajournal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.EmbeddedServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedDynamoLocalTest {

    @AfterEach
    void endTheServers() {
        ProcessHandle.current().children().forEach(server -> {
            server.destroyForcibly();
            server.onExit().join();
        });
    }

    @Test
    void oneDirectoryHasOneServer(@TempDir Path directory) {
        URI endpoint = loaded().start(directory);

        assertThat(loaded().start(directory.resolve("."))).isEqualTo(endpoint);
        assertThat(loaded().start(null)).isNotEqualTo(endpoint);
    }

    @Test
    void aServerThatDiedIsReplaced() {
        loaded().start(null);
        endTheServers();

        assertThat(new Requests(loaded().start(null)).listTables()).contains("TableNames");
    }

    private static EmbeddedServer loaded() {
        return ServiceLoader.load(EmbeddedServer.class).findFirst().orElseThrow();
    }
}
