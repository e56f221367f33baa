package io.dynajournal.bench.wire;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** The server that a proxy forwards to. */
public interface Upstream {

    HttpStream connect() throws IOException;

    /** The request in the form that this server accepts. */
    HttpMessage addressed(HttpMessage request);

    /** DynamoDB in a region, with the SDK's default credentials. */
    static Upstream aws(String region) {
        return new AwsUpstream(region, DefaultCredentialsProvider.builder().build());
    }

    /** A server that checks no signatures, such as DynamoDB Local. */
    static Upstream local(URI endpoint) {
        return new Upstream() {
            @Override
            public HttpStream connect() throws IOException {
                return new HttpStream(new Socket(endpoint.getHost(), endpoint.getPort()));
            }

            @Override
            public HttpMessage addressed(HttpMessage request) {
                return request;
            }
        };
    }
}
