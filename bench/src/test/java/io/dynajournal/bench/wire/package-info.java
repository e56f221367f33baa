/** Tests. */
@NullMarked
package io.dynajournal.bench.wire;

import org.jspecify.annotations.NullMarked;
