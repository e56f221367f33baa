/** The extension point for tables of j5ik2o's plugin: own partition and sort keys. */
@NullMarked
package io.dynajournal.j5ik2o;

import org.jspecify.annotations.NullMarked;
