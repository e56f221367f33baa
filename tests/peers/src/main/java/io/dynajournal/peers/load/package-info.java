/**
 * A program that loads a journal with many entities at once and tells how long that took, for {@code bench/compare}. Like
 * the program in the package above it knows no plugin: class path and configuration tell them apart.
 */
@NullMarked
package io.dynajournal.peers.load;

import org.jspecify.annotations.NullMarked;
