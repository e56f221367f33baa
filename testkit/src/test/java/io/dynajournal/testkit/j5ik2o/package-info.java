/** Tests of j5ik2o's layout. */
@NullMarked
package io.dynajournal.testkit.j5ik2o;

import org.jspecify.annotations.NullMarked;
