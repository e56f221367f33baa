package io.dynajournal.testkit;

import java.util.Map;
import java.util.function.Predicate;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** What happens to a request on its way. */
sealed interface Fault {

    /** Nothing. */
    record None() implements Fault {}

    /** The connection is closed; DynamoDB never sees the request. */
    record LoseRequest() implements Fault {}

    /** DynamoDB does what was asked; the connection is closed instead of an answer. */
    record LoseReply() implements Fault {}

    /** DynamoDB never sees the request; the client gets this. */
    record Answer(ErrorAnswer error) implements Fault {}

    /** The request waits at the gate before DynamoDB sees it. */
    record HoldRequest(Gate gate) implements Fault {}

    /** DynamoDB does what was asked; the answer waits at the gate. */
    record HoldReply(Gate gate) implements Fault {}

    /** The connection is closed at once, and DynamoDB gets the request when the gate opens. */
    record DeliverLate(Gate gate) implements Fault {}

    /** DynamoDB does what was asked; of the items in its answer only some are shown. */
    record HideItems(Predicate<Map<String, JsonNode>> shown) implements Fault {}

    /** All but so many writes of a batch are left undone and said to be unprocessed. */
    record Unprocessed(int processed) implements Fault {}
}
