/** The ports that layouts implement, and what every layout needs above them: order per id, and one set of errors. */
@NullMarked
package io.dynajournal.store;

import org.jspecify.annotations.NullMarked;
