/** Runs the native layout through the contracts, and tests what is its own. */
@NullMarked
package io.dynajournal.testkit;

import org.jspecify.annotations.NullMarked;
