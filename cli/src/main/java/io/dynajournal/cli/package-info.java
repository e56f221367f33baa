/** The command {@code dynajournal}: reads tables of every layout. Standard output contains results only. */
@NullMarked
package io.dynajournal.cli;

import org.jspecify.annotations.NullMarked;
