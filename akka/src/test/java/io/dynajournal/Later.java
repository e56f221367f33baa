package io.dynajournal;

/** An event whose serializer answers later; each at its own time. */
record Later(String text) {}
