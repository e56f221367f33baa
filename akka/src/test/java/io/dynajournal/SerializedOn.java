package io.dynajournal;

/** An event that is read back with the name of the thread that serialized it. */
record SerializedOn(String thread) {}
