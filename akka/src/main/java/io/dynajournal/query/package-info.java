/** The toolkit's queries on the events of a journal. */
@NullMarked
package io.dynajournal.query;

import org.jspecify.annotations.NullMarked;
