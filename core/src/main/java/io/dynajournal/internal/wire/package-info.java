/** The protobuf wire format, read and written without a dependency, because only a few fields are needed. */
@NullMarked
package io.dynajournal.internal.wire;

import org.jspecify.annotations.NullMarked;
