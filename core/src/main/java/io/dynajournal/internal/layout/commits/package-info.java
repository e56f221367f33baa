/** The native layout: one item per commit. {@code docs/format.md} describes every attribute and byte. */
@NullMarked
package io.dynajournal.internal.layout.commits;

import org.jspecify.annotations.NullMarked;
