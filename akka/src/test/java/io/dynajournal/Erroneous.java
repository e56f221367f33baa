package io.dynajournal;

/** An event whose serializer throws an error: when it is written, or when it is read. */
record Erroneous(String text) {

    static final String UNWRITABLE = "a class is missing";
    static final String TOO_DEEP = "too deep";
    static final String UNREADABLE = "a class is missing when it is read";
}
