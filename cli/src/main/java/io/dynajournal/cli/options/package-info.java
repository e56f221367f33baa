/** Groups of options that commands share. */
@NullMarked
package io.dynajournal.cli.options;

import org.jspecify.annotations.NullMarked;
