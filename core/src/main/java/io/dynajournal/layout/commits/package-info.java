/** The native layout: one item per commit. {@code docs/format.md} has every attribute and byte. */
@NullMarked
package io.dynajournal.layout.commits;

import org.jspecify.annotations.NullMarked;
