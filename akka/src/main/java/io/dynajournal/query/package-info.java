/** The read journal plugin: the toolkits' queries on the events of a journal. */
@NullMarked
package io.dynajournal.query;

import org.jspecify.annotations.NullMarked;
