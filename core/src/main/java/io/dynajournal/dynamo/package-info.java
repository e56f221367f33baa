/** The one package that calls the AWS client: requests, retry, size arithmetic, exception translation, tables. */
@NullMarked
package io.dynajournal.dynamo;

import org.jspecify.annotations.NullMarked;
