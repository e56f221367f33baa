/** From what the command line says to open tables: by flags, or by an application's configuration. */
@NullMarked
package io.dynajournal.cli.store;

import org.jspecify.annotations.NullMarked;
