/** Tests of the layout akka2. */
@NullMarked
package io.dynajournal.testkit.akka2;

import org.jspecify.annotations.NullMarked;
