/** The one package that calls the AWS client: requests, retry, size arithmetic, exception translation, tables. */
@NullMarked
package io.dynajournal.internal.dynamo;

import org.jspecify.annotations.NullMarked;
