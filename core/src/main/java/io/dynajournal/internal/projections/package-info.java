/** The offsets of projections in DynamoDB: rows, the requests on them, and what can be done with them without a toolkit. */
@NullMarked
package io.dynajournal.internal.projections;

import org.jspecify.annotations.NullMarked;
