/** Stored payloads as people can read them. Nothing is ever deserialized. */
@NullMarked
package io.dynajournal.cli.payload;

import org.jspecify.annotations.NullMarked;
