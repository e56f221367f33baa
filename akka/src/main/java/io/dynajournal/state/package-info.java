/** The durable state store: plugin, its two faces, and the columns a user may add. */
@NullMarked
package io.dynajournal.state;

import org.jspecify.annotations.NullMarked;
