/** What is stored: events, snapshots and their payloads as immutable values; JDK only. */
@NullMarked
package io.dynajournal.model;

import org.jspecify.annotations.NullMarked;
