package io.dynajournal.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutputTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);

    private List<String> printed() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static Terminal terminal(int columns, boolean colours) {
        return new Terminal(true, true, true, colours, columns);
    }

    @Test
    void plainLinesHaveNoLineBreaksAndNoControlCharacters() {
        try (Output plain = Output.plain(out)) {
            plain.line(Output.values("id", "a\nb\\n\r\t\u001b[31mred\u009b", "empty", "", "n", 3));
        }
        assertThat(printed()).containsExactly("id=a\\nb\\\\n\\r\\t\\u001b[31mred\\u009b n=3");
    }

    @Test
    void jsonIsEscapedAsEver() {
        try (Output json = Output.json(out)) {
            json.line(Output.values("i\"d", "a\n\b\u009b\ud800", "tags", List.of("x", "\""), "n", 3, "on", true));
        }
        assertThat(printed())
                .containsExactly(
                        "{\"i\\\"d\":\"a\\n\\u0008\u009b\\ud800\",\"tags\":[\"x\",\"\\\"\"],\"n\":3,\"on\":true}");
    }

    @Test
    void columnsAreAsWideAsTheirValues() {
        try (Output table = Output.table(out, terminal(80, false))) {
            table.line(Output.values("seqNr", 1, "manifest", "Added", "tags", "[]"));
            table.line(Output.values("seqNr", 20_000_000L, "manifest", "A", "more", "x"));
        }
        assertThat(printed())
                .containsExactly(
                        "seqNr     manifest  tags  more", "1         Added     []", "20000000  A               x");
    }

    @Test
    void aLongLineIsCutAtTheEdgeOfTheTerminal() {
        try (Output table = Output.table(out, terminal(10, false))) {
            table.line(Output.values("payload", "0123456789012345"));
        }
        assertThat(printed()).containsExactly("payload", "012345678…");
    }

    @Test
    void theHeadingIsBoldWhereColoursAreWanted() {
        try (Output table = Output.table(out, terminal(80, true))) {
            table.line(Output.values("id", "x"));
        }
        assertThat(printed()).containsExactly("\u001b[1mid\u001b[0m", "x");
    }

    @Test
    void aFlushPrintsWhatIsThere() {
        Output table = Output.table(out, terminal(80, false));
        table.line(Output.values("id", "x"));
        assertThat(printed()).isEmpty();
        table.flush();
        table.line(Output.values("id", "yyy"));
        table.close();
        assertThat(printed()).containsExactly("id", "x", "yyy");
    }

    @Test
    void aClosedPipeEndsTheCommand() {
        PrintStream closed = new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("Broken pipe");
                    }
                },
                false,
                StandardCharsets.UTF_8);
        Output plain = Output.plain(closed);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1000; i++) {
                        plain.line(Output.values("n", i));
                    }
                })
                .isInstanceOf(Output.OutputClosed.class);
    }
}
