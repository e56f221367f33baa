/** What is printed: results to standard output, everything else to standard error. */
@NullMarked
package io.dynajournal.cli.terminal;

import org.jspecify.annotations.NullMarked;
