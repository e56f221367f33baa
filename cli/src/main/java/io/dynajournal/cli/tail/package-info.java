/** Events as they are written. */
@NullMarked
package io.dynajournal.cli.tail;

import org.jspecify.annotations.NullMarked;
