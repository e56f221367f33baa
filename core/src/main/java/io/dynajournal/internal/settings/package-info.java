/** Reads the HOCON settings into records. Every error is one message that names the key. */
@NullMarked
package io.dynajournal.internal.settings;

import org.jspecify.annotations.NullMarked;
