package io.dynajournal.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The server side of an HTTP/1.1 connection, as far as the AWS client uses it: requests with a length, one after another. An
 * HTTP server of the JDK answers every request; this one can close the connection instead.
 */
final class HttpConnection {

    /** @param headers by case-insensitive name */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Request(String method, String path, Map<String, String> headers, byte[] body) {

        String header(String name) {
            return headers.getOrDefault(name, "");
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        /** DynamoDB's name of the operation; the header is like {@code DynamoDB_20120810.PutItem}. */
        String operation() {
            String target = header("X-Amz-Target");
            return target.substring(target.indexOf('.') + 1);
        }
    }

    /** @param headers without Content-Length */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Response(int status, Map<String, List<String>> headers, byte[] body) {

        /** A response of the proxy itself. */
        static Response json(int status, byte[] body) {
            Map<String, List<String>> headers = Map.of(
                    "Content-Type", List.of("application/x-amz-json-1.0"), "x-amzn-RequestId", List.of("FAULT-PROXY"));
            return new Response(status, headers, body);
        }
    }

    private final Socket socket;
    private final InputStream in;

    HttpConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        // Otherwise each response waits 40 ms for an acknowledgement.
        socket.setTcpNoDelay(true);
    }

    /** Empty if the client closed the connection. */
    Optional<Request> read() throws IOException {
        String start = line();
        if (start.isEmpty()) {
            return Optional.empty();
        }
        String[] parts = start.split(" ", 3);
        if (parts.length != 3) {
            throw new ProtocolException("no request line: " + start);
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            headers.put(header.substring(0, colon), header.substring(colon + 1).strip());
        }
        if (headers.containsKey("Transfer-Encoding")) {
            throw new ProtocolException("a request without a length");
        }
        int length = Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("a request ended after " + body.length + " of " + length + " bytes");
        }
        return Optional.of(new Request(parts[0], parts[1], headers, body));
    }

    void write(Response response) throws IOException {
        StringBuilder head =
                new StringBuilder("HTTP/1.1 ").append(response.status()).append(" \r\n");
        response.headers()
                .forEach((name, values) -> values.forEach(
                        value -> head.append(name).append(": ").append(value).append("\r\n")));
        head.append("Content-Length: ").append(response.body().length).append("\r\n\r\n");
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        whole.writeBytes(response.body());
        socket.getOutputStream().write(whole.toByteArray());
        socket.getOutputStream().flush();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
