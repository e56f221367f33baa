package io.dynajournal.cli.payload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.smile.SmileFactory;
import io.dynajournal.cli.terminal.Output.Json;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class PayloadViewTest {

    private static final Map<String, Object> VALUE = new TreeMap<>(Map.of("a", 1, "b", "ü"));
    private static final Json SHOWN = new Json("{\"a\":1,\"b\":\"ü\"}");

    private record Added(String item) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private static PayloadView of(String text) {
        return PayloadView.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void jsonAndItsBinaryFormsAreShownAsJson() throws IOException {
        assertThat(of(" {\"a\":1, \"b\":\"ü\"}")).isEqualTo(new PayloadView("json", SHOWN));
        assertThat(PayloadView.of(new ObjectMapper(new CBORFactory()).writeValueAsBytes(VALUE)))
                .isEqualTo(new PayloadView("cbor", SHOWN));
        assertThat(PayloadView.of(new ObjectMapper(new SmileFactory()).writeValueAsBytes(VALUE)))
                .isEqualTo(new PayloadView("smile", SHOWN));
    }

    @Test
    void aCompressedPayloadIsUnpacked() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(new ObjectMapper().writeValueAsBytes(VALUE));
        }
        assertThat(PayloadView.of(packed.toByteArray())).isEqualTo(new PayloadView("gzip+json", SHOWN));
    }

    @Test
    void whatIsNoWholeDocumentIsText() {
        assertThat(of("{\"a\":1} x")).isEqualTo(new PayloadView("text", "{\"a\":1} x"));
        assertThat(of("17")).isEqualTo(new PayloadView("text", "17"));
        assertThat(of("two\nlines")).isEqualTo(new PayloadView("text", "two\nlines"));
        assertThat(of("")).isEqualTo(new PayloadView("empty", ""));
    }

    @Test
    void ofJavaSerializationOnlyTheClassesAreNamed() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new Object[] {new Added("secret"), new java.math.BigInteger("7")});
        }
        PayloadView view = PayloadView.of(bytes.toByteArray());
        assertThat(view.form()).isEqualTo("java");
        assertThat(view.value().toString())
                .contains("[Ljava.lang.Object;", Added.class.getName(), "java.math.BigInteger")
                .doesNotContain("secret");
    }

    /** Its static part says so if it is loaded; the test's own use of the class was compiled away. */
    private static final class Loaded implements Serializable {
        private static final long serialVersionUID = 1L;

        static {
            System.setProperty("payload-view-test.loaded", "yes");
        }
    }

    @Test
    void theClassesAreNamedWithoutBeingLoaded() throws IOException {
        String name = Loaded.class.getName();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
            out.writeShort(ObjectStreamConstants.STREAM_VERSION);
            out.writeByte(ObjectStreamConstants.TC_OBJECT);
            out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
            out.writeUTF(name);
            out.writeLong(1);
            out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
            out.writeShort(0);
            out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
            out.writeByte(ObjectStreamConstants.TC_NULL);
        }

        assertThat(PayloadView.of(bytes.toByteArray()).value().toString()).contains(name);
        assertThat(System.getProperty("payload-view-test.loaded")).isNull();
    }

    /** None of the class files of the command line names it. */
    @Test
    void nothingUsesJavaDeserialization() throws IOException {
        List<Path> classes;
        try (Stream<Path> files = Files.walk(Path.of("target/classes"))) {
            classes = files.filter(file -> file.toString().endsWith(".class")).toList();
        }
        assertThat(classes).hasSizeGreaterThan(50);
        for (Path file : classes) {
            assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                    .as(file.toString())
                    .doesNotContain("java/io/ObjectInputStream");
        }
    }

    @Test
    void fieldsOfProtobufAreShownByNumber() {
        byte[] message = {0x08, (byte) 0x96, 0x01, 0x12, 0x02, 'h', 'i', 0x1a, 0x02, 0x08, 0x01, 0x25, 1, 0, 0, 0};
        assertThat(PayloadView.of(message)).isEqualTo(new PayloadView("protobuf", "1:150 2:\"hi\" 3:{1:1} 4:0x1"));
    }

    @Test
    void anythingElseIsHex() {
        assertThat(PayloadView.of(new byte[] {0, (byte) 0xff, 7})).isEqualTo(new PayloadView("hex", "00ff07"));
        assertThat(PayloadView.of(new byte[] {0x0a, 0x7f, 1})).isEqualTo(new PayloadView("hex", "0a7f01"));
    }
}
