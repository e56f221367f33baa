package io.dynajournal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** Stands before a client: notes the requests and lets each writing one pass when the script's stage says so. */
final class ScriptedClient {

    /** Decides about one writing request. */
    interface Script {
        /** The request is sent when this is done; never, if it never is. */
        CompletableFuture<Void> beforeWrite(int number);

        /** The answer is given when this is done; never, if it never is. */
        default CompletableFuture<Void> afterWrite(int number) {
            return CompletableFuture.completedFuture(null);
        }
    }

    private static final Set<String> WRITES = Set.of("putItem", "updateItem", "batchWriteItem");

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final DynamoDbAsyncClient real;
    private final Script script;
    private int writes;

    ScriptedClient(DynamoDbAsyncClient real, Script script) {
        this.real = real;
        this.script = script;
    }

    DynamoDbAsyncClient client() {
        InvocationHandler handler = (proxy, method, arguments) -> invoke(method, arguments);
        return (DynamoDbAsyncClient) Proxy.newProxyInstance(
                ScriptedClient.class.getClassLoader(), new Class<?>[] {DynamoDbAsyncClient.class}, handler);
    }

    /** {@code putItem <table>} when one is asked for, with {@code done} when its answer is there; and so on. */
    List<String> log() {
        return log;
    }

    private Object invoke(Method method, Object[] arguments) throws ReflectiveOperationException {
        String name = method.getName();
        if (!CompletableFuture.class.isAssignableFrom(method.getReturnType())) {
            return method.invoke(real, arguments);
        }
        String note = name + " " + table(arguments);
        log.add(note);
        if (!WRITES.contains(name)) {
            return method.invoke(real, arguments);
        }
        int number = next();
        return script.beforeWrite(number)
                .thenCompose(now -> send(method, arguments))
                .thenCompose(answer -> script.afterWrite(number).thenApply(now -> answer))
                .whenComplete((answer, failure) -> log.add(note + " done"));
    }

    private static String table(Object[] arguments) {
        return arguments[0] instanceof DynamoDbRequest request
                ? request.getValueForField("TableName", String.class).orElse("")
                : "";
    }

    private synchronized int next() {
        writes++;
        return writes;
    }

    private CompletableFuture<?> send(Method method, Object[] arguments) {
        try {
            return (CompletableFuture<?>) method.invoke(real, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
