package io.dynajournal.bench.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocketFactory;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;

/**
 * DynamoDB itself. The proxy changes requests, which invalidates their signatures, so it signs each again, with credentials that
 * the plugin does not have.
 */
final class AwsUpstream implements Upstream {

    private static final int HTTPS = 443;
    /** The headers that a request needs in addition to those of the signature. */
    private static final List<String> FORWARDED_HEADERS = List.of("X-Amz-Target", "Content-Type");

    private final String region;
    private final URI endpoint;
    private final AwsCredentialsProvider credentials;
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

    AwsUpstream(String region, AwsCredentialsProvider credentials) {
        this.region = region;
        this.endpoint = URI.create("https://dynamodb." + region + ".amazonaws.com/");
        this.credentials = credentials;
    }

    @Override
    public HttpStream connect() throws IOException {
        return new HttpStream(SSLSocketFactory.getDefault().createSocket(endpoint.getHost(), HTTPS));
    }

    @Override
    public HttpMessage addressed(HttpMessage request) {
        SdkHttpFullRequest.Builder unsigned =
                SdkHttpFullRequest.builder().method(SdkHttpMethod.POST).uri(endpoint);
        FORWARDED_HEADERS.forEach(name -> unsigned.putHeader(name, request.header(name)));
        SdkHttpRequest signed = signer.sign(sign -> sign.identity(credentials.resolveCredentials())
                        .request(unsigned.build())
                        .payload(() -> new ByteArrayInputStream(request.body()))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "dynamodb")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, region))
                .request();
        List<String> headers = new ArrayList<>();
        signed.headers().forEach((name, values) -> values.forEach(value -> headers.add(name + ": " + value)));
        return request.with(headers);
    }
}
