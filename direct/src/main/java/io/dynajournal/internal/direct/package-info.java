/**
 * DynamoDB's JSON over HTTP for the requests that are nearly all of the traffic: PutItem, Query and BatchExecuteStatement. The AWS SDK
 * still resolves endpoint and credentials and owns the connections; what is bypassed is its request pipeline, which takes most of the
 * CPU time of a small request.
 *
 * <p>Requests that are sent directly lack what the pipeline adds: the SDK's user agent and invocation id, the trace header of AWS
 * Lambda, and the SDK's metric publishers. Where execution interceptors are installed, as tracing agents do, no request is sent
 * directly.
 */
@NullMarked
package io.dynajournal.internal.direct;

import org.jspecify.annotations.NullMarked;
