/**
 * DynamoDB's JSON over HTTP for the few requests that nearly all traffic consists of. The AWS SDK connects, signs and
 * resolves endpoint and credentials; what is left out is its pipeline, which costs more CPU than all of that.
 */
@NullMarked
package io.dynajournal.dynamo.direct;

import org.jspecify.annotations.NullMarked;
