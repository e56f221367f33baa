/**
 * Entities under load for {@code bench/soak}, in a process that may be killed at any time. What was acknowledged is written to
 * a ledger file first, so that it can be compared with the journal afterwards.
 */
@NullMarked
package io.dynajournal.peers.soak;

import org.jspecify.annotations.NullMarked;
