/** The toolkit's snapshot store: serializes, calls the core, maps the answers. */
@NullMarked
package io.dynajournal.snapshot;

import org.jspecify.annotations.NullMarked;
