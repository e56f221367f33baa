/** What the plugins share of the toolkit: its serialization and its futures. */
@NullMarked
package io.dynajournal.internal.toolkit;

import org.jspecify.annotations.NullMarked;
