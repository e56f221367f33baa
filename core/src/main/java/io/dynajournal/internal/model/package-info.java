/** Events, snapshots, states and their payloads as immutable values. Depends on the JDK only. */
@NullMarked
package io.dynajournal.internal.model;

import org.jspecify.annotations.NullMarked;
