/** Bytes: the protobuf wire format, read and written by hand because a few fields do not earn a dependency; JDK only. */
@NullMarked
package io.dynajournal.wire;

import org.jspecify.annotations.NullMarked;
