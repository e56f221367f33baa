/** Settings in HOCON, read into the core's records; whatever is wrong with them is one message that names the key. */
@NullMarked
package io.dynajournal.settings;

import org.jspecify.annotations.NullMarked;
