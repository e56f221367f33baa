package io.dynajournal.bench.wire;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and writes the messages of one connection. Not thread-safe. */
final class HttpStream implements AutoCloseable {

    private static final int BUFFER = 1 << 16;
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final Socket socket;
    private final InputStream in;

    HttpStream(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER);
        // Otherwise each response waits 40 ms for an acknowledgement.
        socket.setTcpNoDelay(true);
    }

    /** The next message; empty if the other side closed the connection. */
    Optional<HttpMessage> read() throws IOException {
        String start = line();
        if (start.isEmpty()) {
            return Optional.empty();
        }
        List<String> headers = new ArrayList<>();
        for (String header = line(); !header.isEmpty(); header = line()) {
            headers.add(header);
        }
        HttpMessage head = new HttpMessage(start, headers, new byte[0]);
        if (!head.header("Expect").isEmpty()) {
            write(CONTINUE);
        }
        if (head.header("Transfer-Encoding").equalsIgnoreCase("chunked")) {
            return Optional.of(head.with(chunks()));
        }
        String length = head.header("Content-Length");
        return Optional.of(head.with(exactly(length.isEmpty() ? 0 : Integer.parseInt(length))));
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int length = Integer.parseInt(line().split(";", 2)[0].strip(), 16);
            body.writeBytes(exactly(length));
            line();
            if (length == 0) {
                return body.toByteArray();
            }
        }
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the connection was closed after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
