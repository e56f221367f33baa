package io.dynajournal.bench.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * An HTTP/1.1 request or response.
 *
 * @param start the first line
 * @param headers the lines after the first
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HttpMessage(String start, List<String> headers, byte[] body) {

    /** Replaced by the content length, or meant for one hop only. */
    private static final Set<String> REMOVED =
            Set.of("content-length", "transfer-encoding", "expect", "accept-encoding");

    String header(String name) {
        for (String line : headers) {
            if (isNamed(line, name)) {
                return line.substring(name.length() + 1).strip();
            }
        }
        return "";
    }

    private static boolean isNamed(String line, String name) {
        return line.length() > name.length()
                && line.charAt(name.length()) == ':'
                && line.regionMatches(true, 0, name, 0, name.length());
    }

    /** The part of {@code X-Amz-Target} after the dot: {@code DynamoDB_20120810.PutItem}. */
    String operation() {
        String target = header("X-Amz-Target");
        return target.substring(target.indexOf('.') + 1);
    }

    int status() {
        return Integer.parseInt(start.substring(9, 12));
    }

    /** The same message with another body. */
    HttpMessage with(byte[] other) {
        return new HttpMessage(start, headers, other);
    }

    HttpMessage with(List<String> others) {
        return new HttpMessage(start, others, body);
    }

    byte[] bytes() {
        StringBuilder head = new StringBuilder(512).append(start).append("\r\n");
        for (String line : forwarded()) {
            head.append(line).append("\r\n");
        }
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        byte[] headBytes = head.toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] whole = new byte[headBytes.length + body.length];
        System.arraycopy(headBytes, 0, whole, 0, headBytes.length);
        System.arraycopy(body, 0, whole, headBytes.length, body.length);
        return whole;
    }

    private List<String> forwarded() {
        List<String> forwarded = new ArrayList<>(headers.size());
        for (String line : headers) {
            int colon = line.indexOf(':');
            if (colon > 0 && !REMOVED.contains(line.substring(0, colon).toLowerCase(Locale.ROOT))) {
                forwarded.add(line);
            }
        }
        return forwarded;
    }
}
