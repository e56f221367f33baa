package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.Terminal;
import java.io.BufferedReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

class CommandFirstTest {

    private static final PrintStream NOWHERE =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

    private final CommandSpec root = CommandRun.commands(
                    new Console(NOWHERE, NOWHERE, new BufferedReader(new StringReader("")), Terminal.NONE))
            .getCommandSpec();

    private String ordered(String words) {
        return String.join(" ", CommandFirst.ordered(root, words.split(" ")));
    }

    @Test
    void optionsMayStandBeforeTheCommand() {
        assertThat(ordered("--layout akka2 --json events --from 3 x"))
                .isEqualTo("events --layout akka2 --json --from 3 x");
        assertThat(ordered("--layout=akka2 events x")).isEqualTo("events --layout=akka2 x");
    }

    @Test
    void whatFollowsTheCommandStays() {
        assertThat(ordered("events highest --json")).isEqualTo("events highest --json");
        assertThat(ordered("events -- ids")).isEqualTo("events -- ids");
    }

    @Test
    void whatIsNoCommandStaysForTheErrorMessage() {
        assertThat(ordered("evnts --json")).isEqualTo("evnts --json");
        assertThat(ordered("--colour events")).isEqualTo("events --colour");
    }
}
