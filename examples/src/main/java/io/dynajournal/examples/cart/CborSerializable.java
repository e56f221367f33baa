package io.dynajournal.examples.cart;

/** What leaves the process, to DynamoDB or to another node. application.conf binds it to a serializer. */
public interface CborSerializable {}
