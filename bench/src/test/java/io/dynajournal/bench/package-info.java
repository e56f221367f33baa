/** Tests. */
@NullMarked
package io.dynajournal.bench;

import org.jspecify.annotations.NullMarked;
