/** The journal plugin. */
@NullMarked
package io.dynajournal.journal;

import org.jspecify.annotations.NullMarked;
