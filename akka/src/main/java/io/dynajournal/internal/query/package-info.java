/** Queries as streams: reading, polling, retrying, and the envelopes they deliver. */
@NullMarked
package io.dynajournal.internal.query;

import org.jspecify.annotations.NullMarked;
