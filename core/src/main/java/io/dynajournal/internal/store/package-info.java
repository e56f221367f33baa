/** The ports that layouts implement, and what holds for every layout: the order of each persistence id, caches, asynchronous loops. */
@NullMarked
package io.dynajournal.internal.store;

import org.jspecify.annotations.NullMarked;
