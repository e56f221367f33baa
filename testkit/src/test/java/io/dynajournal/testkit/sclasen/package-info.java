/** Tests of the layout sclasen. */
@NullMarked
package io.dynajournal.testkit.sclasen;

import org.jspecify.annotations.NullMarked;
