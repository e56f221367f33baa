package io.dynajournal.internal.store;

/** The end of a log, and the first page of the replay that follows, read in one round trip. */
public record LogHead(LogEnd end, PageToken firstPage) {}
