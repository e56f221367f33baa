/** Tables as source for other tools. */
@NullMarked
package io.dynajournal.cli.source;

import org.jspecify.annotations.NullMarked;
