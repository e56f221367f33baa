/** Tests. */
@NullMarked
package io.dynajournal.bench.report;

import org.jspecify.annotations.NullMarked;
