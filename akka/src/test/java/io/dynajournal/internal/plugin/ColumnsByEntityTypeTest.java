package io.dynajournal.internal.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.BadColumns;
import io.dynajournal.NoteColumns;
import io.dynajournal.exception.SettingsException;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ColumnsByEntityTypeTest {

    private static ColumnsByEntityType columns(Map<String, String> classes) {
        return ColumnsByEntityType.of("my-states.columns", classes, ColumnsByEntityTypeTest.class.getClassLoader());
    }

    @Test
    void theEntityTypeDecides() {
        ColumnsByEntityType columns = columns(Map.of("Note", NoteColumns.class.getName()));
        assertThat(columns.columns("Note|1", 1, "four")).containsEntry("letters", 4);
        assertThat(columns.columns("Order|1", 1, "four")).isEmpty();
    }

    @Test
    void aStarStandsForAllOtherTypes() {
        ColumnsByEntityType columns =
                columns(Map.of("*", NoteColumns.class.getName(), "Order", BadColumns.class.getName()));
        assertThat(columns.columns("Note|1", 1, "four")).containsEntry("letters", 4);
        assertThat(columns.columns("Order|1", 1, "four")).isEmpty();
    }

    @Test
    void aStateOfAnotherClassIsNamed() {
        assertThatThrownBy(() ->
                        columns(Map.of("Note", NoteColumns.class.getName())).columns("Note|1", 3, 42))
                .hasMessage("Not sent: io.dynajournal.NoteColumns cannot take a java.lang.Integer, the state of Note|1,"
                        + " revision 3. Nothing was stored.");
    }

    @Test
    void aClassThatIsNoneIsRejectedWithItsSetting() {
        assertThatThrownBy(() -> columns(Map.of("Note", "java.lang.String")))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("my-states.columns.Note")
                .hasMessageContaining("io.dynajournal.StateColumns");
        assertThatThrownBy(() -> columns(Map.of("Note", "no.such.Class")))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("a class on the class path");
    }
}
