package io.dynajournal.cli.export;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import io.dynajournal.internal.model.Payload;
import java.io.IOException;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The fields of a line, which must have the right types and must all be known. */
final class Fields {

    static final String EXPORT = "dynajournalExport";
    static final String LAYOUT = "layout";
    static final String TABLE = "table";
    static final String TIME = "time";
    static final String ID = "persistenceId";
    /** The largest number that every program reads exactly from JSON; no log is so long. */
    private static final long MAX_SEQ_NR = 1L << 53;

    static final String SEQ_NR = "seqNr";
    static final String MICROS = "timestampMicros";
    static final String WRITER = "writer";
    static final String SERIALIZER = "serializerId";
    static final String MANIFEST = "manifest";
    static final String PAYLOAD = "payload";
    static final String ADAPTER_MANIFEST = "adapterManifest";
    static final String TAGS = "tags";
    static final String METADATA = "metadata";
    static final String DELETED_TO = "deletedTo";
    static final String HIGHEST = "highestSeqNr";
    static final String IDS = "persistenceIds";
    static final String EVENTS = "events";

    private final JsonNode json;
    private final Set<String> read = new HashSet<>();

    private Fields(JsonNode json) {
        this.json = json;
    }

    static Fields of(byte[] line) {
        JsonNode json;
        try {
            json = ExportLine.JSON.readTree(line);
        } catch (JacksonException e) {
            throw new BadLine("it is no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new BadLine("it is no JSON: " + e.getMessage());
        }
        if (!json.isObject()) {
            throw new BadLine("it is no JSON object");
        }
        return new Fields(json);
    }

    boolean has(String name) {
        return json.has(name);
    }

    String id() {
        String id = text(ID);
        if (id.isEmpty()) {
            throw new BadLine(ID + " is empty");
        }
        return id;
    }

    /** 0 for a format without times. */
    long micros() {
        return has(MICROS) ? number(MICROS, 1, Long.MAX_VALUE) : 0;
    }

    String text(String name) {
        JsonNode value = required(name);
        if (!value.isTextual()) {
            throw new BadLine(name + " is no text");
        }
        return value.textValue();
    }

    long seqNr(String name) {
        return number(name, 1, MAX_SEQ_NR);
    }

    long number(String name, long min, long max) {
        JsonNode value = required(name);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new BadLine(name + " is no whole number");
        }
        if (value.longValue() < min || value.longValue() > max) {
            throw new BadLine(name + " is " + value.longValue() + ", which is not from " + min + " to " + max);
        }
        return value.longValue();
    }

    Set<String> texts(String name) {
        read.add(name);
        Set<String> texts = new HashSet<>();
        for (JsonNode each : json.path(name)) {
            if (!each.isTextual()) {
                throw new BadLine(name + " is no list of texts");
            }
            texts.add(each.textValue());
        }
        if (has(name) && !json.path(name).isArray()) {
            throw new BadLine(name + " is no list of texts");
        }
        return texts;
    }

    /** Null if it is missing. */
    @Nullable
    Fields object(String name) {
        read.add(name);
        JsonNode value = json.path(name);
        if (value.isMissingNode()) {
            return null;
        }
        if (!value.isObject()) {
            throw new BadLine(name + " is no object");
        }
        return new Fields(value);
    }

    Payload payload() {
        return new Payload(
                (int) number(SERIALIZER, Integer.MIN_VALUE, Integer.MAX_VALUE), text(MANIFEST), bytes(text(PAYLOAD)));
    }

    private static byte[] bytes(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new BadLine(PAYLOAD + " is not in base64");
        }
    }

    private JsonNode required(String name) {
        read.add(name);
        JsonNode value = json.path(name);
        if (value.isMissingNode()) {
            throw new BadLine("it has no " + name);
        }
        return value;
    }

    /** A misspelled name would lose its value. */
    void checkAllRead() {
        Set<String> unknown = new TreeSet<>();
        json.fieldNames().forEachRemaining(unknown::add);
        unknown.removeAll(read);
        if (!unknown.isEmpty()) {
            throw new BadLine("it has the unknown " + String.join(", ", unknown));
        }
    }
}
