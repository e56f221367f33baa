/**
 * What a layout of the tables is to its users. Each layout has a package of its own below, whose settings records implement
 * these interfaces; layouts never see one another.
 */
@NullMarked
package io.dynajournal.layout;

import org.jspecify.annotations.NullMarked;
