package io.dynajournal.store;

/** The answer to a recovery's first question, which holds the answer to its second. */
public record LogHead(LogEnd end, PageToken firstPage) {}
