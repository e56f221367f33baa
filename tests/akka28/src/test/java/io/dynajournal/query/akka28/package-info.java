/** The interfaces of Akka 2.8, on the newest of it. */
@NullMarked
package io.dynajournal.query.akka28;

import org.jspecify.annotations.NullMarked;
