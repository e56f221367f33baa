package io.dynajournal.peers.soak;

/**
 * An event that names its predecessor, so that a lost, repeated or replaced event breaks the chain.
 *
 * @param number of the event in its entity, from 1
 * @param before the link of the event before; 0 for the first
 * @param link random
 * @param bytes further bytes, without meaning
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SoakEvent(long number, long before, long link, byte[] bytes) {}
