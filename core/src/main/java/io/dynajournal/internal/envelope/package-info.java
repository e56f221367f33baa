/**
 * The envelopes in which the toolkits' own serializers wrap events and snapshots. Predecessors stored them; this package reads
 * and writes them without a toolkit.
 */
@NullMarked
package io.dynajournal.internal.envelope;

import org.jspecify.annotations.NullMarked;
