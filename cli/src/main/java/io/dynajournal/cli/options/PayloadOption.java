package io.dynajournal.cli.options;

import io.dynajournal.cli.payload.PayloadView;
import io.dynajournal.internal.model.Payload;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How payloads are printed. */
public final class PayloadOption {

    enum Form {
        auto,
        base64,
        none
    }

    @Option(
            names = "--payload",
            paramLabel = "<form>",
            description =
                    "auto: as JSON (also of CBOR and Smile), text, the class names of Java serialization, the fields"
                            + " of protobuf, or hex, whatever the bytes are; payloadForm says which. base64: as it is stored."
                            + " none: not at all. By default auto, and base64 with --json.")
    private @Nullable Form form;

    /** Adds a payload to the values of a result. */
    public void add(Map<String, Object> values, Payload payload, OutputOptions output) {
        Form chosen = form != null ? form : output.isJson() ? Form.base64 : Form.auto;
        switch (chosen) {
            case base64 -> values.put("payload", Base64.getEncoder().encodeToString(payload.bytes()));
            case auto -> {
                PayloadView view = PayloadView.of(payload.bytes());
                values.put("payloadForm", view.form());
                values.put("payload", view.value());
            }
            case none -> {}
        }
    }
}
