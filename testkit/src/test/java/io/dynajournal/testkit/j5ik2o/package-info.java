/** Tests of the layout j5ik2o. */
@NullMarked
package io.dynajournal.testkit.j5ik2o;

import org.jspecify.annotations.NullMarked;
