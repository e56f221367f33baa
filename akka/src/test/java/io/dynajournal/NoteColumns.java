package io.dynajournal;

import java.util.Map;

/** The length of a note, so that DynamoDB can be asked for it. */
public final class NoteColumns implements StateColumns<String> {

    @Override
    public Map<String, Object> columns(String persistenceId, String state) {
        return Map.of("letters", state.length());
    }
}
