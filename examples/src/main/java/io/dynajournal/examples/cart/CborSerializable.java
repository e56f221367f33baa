package io.dynajournal.examples.cart;

/** Marks what is stored in DynamoDB or sent to another node. application.conf binds it to a serializer. */
public interface CborSerializable {}
