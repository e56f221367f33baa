/** What journal and snapshot store both need of the toolkit: its serialization and its futures. */
@NullMarked
package io.dynajournal.toolkit;

import org.jspecify.annotations.NullMarked;
