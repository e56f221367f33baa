/** JSON, tables and plots, written by hand: what they need is little. */
@NullMarked
package io.dynajournal.bench.report;

import org.jspecify.annotations.NullMarked;
