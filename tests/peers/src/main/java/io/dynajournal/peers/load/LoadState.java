package io.dynajournal.peers.load;

@SuppressWarnings("ArrayRecordComponent") // never compared
record LoadState(byte[] bytes) {}
