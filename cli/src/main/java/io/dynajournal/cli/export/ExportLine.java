package io.dynajournal.cli.export;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.LogEnd;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A line of an export: one JSON object. docs/export.md has the form. */
sealed interface ExportLine {

    /** The form that is written. */
    int VERSION = 1;

    /** The first line. */
    record Header(int version, String layout, String table, String time) implements ExportLine {}

    /** An event. */
    record Stored(StoredEvent event) implements ExportLine {}

    /** The events of a persistence id up to here were deleted while it was exported. */
    record Deleted(String persistenceId, long toSeqNr) implements ExportLine {}

    /** The last line of a persistence id: where its log ends, which may be after its last event. */
    record End(String persistenceId, LogEnd end) implements ExportLine {}

    /** The last line. */
    record Trailer(long persistenceIds, long events) implements ExportLine {}

    JsonMapper JSON = JsonMapper.builder()
            // Lone surrogates, which a persistence id may contain, have no form in UTF-8.
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** The JSON, without the end of the line. */
    default String json() {
        ObjectNode json = JSON.createObjectNode();
        if (this instanceof Header header) {
            json.put(Fields.EXPORT, header.version)
                    .put(Fields.LAYOUT, header.layout)
                    .put(Fields.TABLE, header.table)
                    .put(Fields.TIME, header.time);
        } else if (this instanceof Stored stored) {
            put(json, stored.event);
        } else if (this instanceof Deleted deleted) {
            json.put(Fields.ID, deleted.persistenceId).put(Fields.DELETED_TO, deleted.toSeqNr);
        } else if (this instanceof End end) {
            json.put(Fields.ID, end.persistenceId).put(Fields.HIGHEST, end.end.seqNr());
            put(json, end.end.timestampMicros(), end.end.writer());
        } else if (this instanceof Trailer trailer) {
            json.put(Fields.IDS, trailer.persistenceIds).put(Fields.EVENTS, trailer.events);
        }
        try {
            return JSON.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A line cannot be written", e);
        }
    }

    private static void put(ObjectNode json, StoredEvent stored) {
        Event event = stored.event();
        json.put(Fields.ID, stored.persistenceId()).put(Fields.SEQ_NR, stored.seqNr());
        put(json, stored.timestampMicros(), stored.writer());
        put(json, event.payload());
        if (!event.adapterManifest().isEmpty()) {
            json.put(Fields.ADAPTER_MANIFEST, event.adapterManifest());
        }
        if (!event.tags().isEmpty()) {
            ArrayNode tags = json.putArray(Fields.TAGS);
            new TreeSet<>(event.tags()).forEach(tags::add);
        }
        @Nullable Payload metadata = event.metadata();
        if (metadata != null) {
            put(json.putObject(Fields.METADATA), metadata);
        }
    }

    private static void put(ObjectNode json, long timestampMicros, String writer) {
        if (timestampMicros > 0) {
            json.put(Fields.MICROS, timestampMicros);
        }
        json.put(Fields.WRITER, writer);
    }

    private static void put(ObjectNode json, Payload payload) {
        json.put(Fields.SERIALIZER, payload.serializerId())
                .put(Fields.MANIFEST, payload.manifest())
                .put(Fields.PAYLOAD, payload.bytes());
    }

    /**
     * Reads a line.
     *
     * @throws BadLine if it has another form
     */
    static ExportLine of(byte[] line) {
        Fields fields = Fields.of(line);
        ExportLine read;
        if (fields.has(Fields.EXPORT)) {
            read = new Header(
                    (int) fields.number(Fields.EXPORT, 1, Integer.MAX_VALUE),
                    fields.text(Fields.LAYOUT),
                    fields.text(Fields.TABLE),
                    fields.text(Fields.TIME));
        } else if (fields.has(Fields.IDS)) {
            read = new Trailer(
                    fields.number(Fields.IDS, 0, Long.MAX_VALUE), fields.number(Fields.EVENTS, 0, Long.MAX_VALUE));
        } else if (fields.has(Fields.DELETED_TO)) {
            read = new Deleted(fields.id(), fields.seqNr(Fields.DELETED_TO));
        } else if (fields.has(Fields.HIGHEST)) {
            long highest = fields.seqNr(Fields.HIGHEST);
            read = new End(fields.id(), new LogEnd(highest, fields.micros(), fields.text(Fields.WRITER), 0));
        } else {
            read = new Stored(event(fields));
        }
        fields.checkAllRead();
        return read;
    }

    private static StoredEvent event(Fields fields) {
        @Nullable Fields metadata = fields.object(Fields.METADATA);
        StoredEvent event = new StoredEvent(
                fields.id(),
                fields.seqNr(Fields.SEQ_NR),
                fields.micros(),
                fields.text(Fields.WRITER),
                new Event(
                        fields.payload(),
                        fields.has(Fields.ADAPTER_MANIFEST) ? fields.text(Fields.ADAPTER_MANIFEST) : "",
                        fields.texts(Fields.TAGS),
                        metadata == null ? null : metadata.payload()));
        if (metadata != null) {
            metadata.checkAllRead();
        }
        return event;
    }
}
