/** Tests of the load program's arithmetic. */
@NullMarked
package io.dynajournal.peers.load;

import org.jspecify.annotations.NullMarked;
