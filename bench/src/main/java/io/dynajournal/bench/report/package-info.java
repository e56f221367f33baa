/** JSON, tables and charts, without a library. */
@NullMarked
package io.dynajournal.bench.report;

import org.jspecify.annotations.NullMarked;
