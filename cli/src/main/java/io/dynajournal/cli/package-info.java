/** The command {@code dynajournal}: one class for each command. Standard output contains results only. */
@NullMarked
package io.dynajournal.cli;

import org.jspecify.annotations.NullMarked;
