/** The command line on real tables. */
@NullMarked
package io.dynajournal.cli;

import org.jspecify.annotations.NullMarked;
