/** The toolkit's journal: serializes, calls the core, maps the answers. */
@NullMarked
package io.dynajournal.journal;

import org.jspecify.annotations.NullMarked;
