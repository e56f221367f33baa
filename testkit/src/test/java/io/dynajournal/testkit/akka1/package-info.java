/** Tests of the layout akka1. */
@NullMarked
package io.dynajournal.testkit.akka1;

import org.jspecify.annotations.NullMarked;
