/** Tests of projections, against DynamoDB Local. */
@NullMarked
package io.dynajournal.projection;

import org.jspecify.annotations.NullMarked;
