package io.dynajournal.peers.load;

@SuppressWarnings("ArrayRecordComponent") // never compared
record LoadEvent(byte[] bytes) {}
