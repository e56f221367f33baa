package io.dynajournal.testkit;

import java.util.Map;
import java.util.function.Predicate;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** What a {@link FaultProxy} does with a request. */
sealed interface Fault {

    /** Forwards it and its response. */
    record None() implements Fault {}

    /** Closes the connection; DynamoDB never receives the request. */
    record LoseRequest() implements Fault {}

    /** Forwards the request, and closes the connection instead of responding. */
    record LoseReply() implements Fault {}

    /** Responds with an error; DynamoDB never receives the request. */
    record Answer(ErrorAnswer error) implements Fault {}

    /** Responds with an error to what is above a rate, and forwards the rest. */
    record AnswerAbove(RequestRate rate, ErrorAnswer error) implements Fault {}

    /** Forwards the request when it is released. */
    record HoldRequest(HeldRequest held) implements Fault {}

    /** Forwards the request, and responds when it is released. */
    record HoldReply(HeldRequest held) implements Fault {}

    /** Closes the connection at once, and forwards the request when it is released. */
    record DeliverLate(HeldRequest held) implements Fault {}

    /** Forwards the request, and responds with only those items that match. */
    record HideItems(Predicate<Map<String, JsonNode>> shown) implements Fault {}

    /** Forwards the first writes of a batch, and responds that the others are unprocessed. */
    record Unprocessed(int processed) implements Fault {}
}
