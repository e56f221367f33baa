/**
 * The interfaces of a table format (a layout) and what layouts share. Each layout has a package below this one; its settings
 * records implement these interfaces, and no layout depends on another.
 */
@NullMarked
package io.dynajournal.internal.layout;

import org.jspecify.annotations.NullMarked;
