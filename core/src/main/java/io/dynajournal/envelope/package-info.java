/**
 * The envelopes in which the toolkits' own serializers wrap events and snapshots. Predecessors stored them, so they are read
 * and written here without a toolkit.
 */
@NullMarked
package io.dynajournal.envelope;

import org.jspecify.annotations.NullMarked;
