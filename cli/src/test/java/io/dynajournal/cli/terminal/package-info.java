/** Tests without a server. */
@NullMarked
package io.dynajournal.cli.terminal;

import org.jspecify.annotations.NullMarked;
