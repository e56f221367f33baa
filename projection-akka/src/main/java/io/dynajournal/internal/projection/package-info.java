/**
 * Projections: the offset table, the store of one run of a projection, the stage that keeps each entity's order, and what
 * the toolkit calls.
 */
@NullMarked
package io.dynajournal.internal.projection;

import org.jspecify.annotations.NullMarked;
