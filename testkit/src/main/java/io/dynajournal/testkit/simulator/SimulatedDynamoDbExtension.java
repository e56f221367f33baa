package io.dynajournal.testkit.simulator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A {@link SimulatedDynamoDb} in real time for JUnit 5. Registered in a static field, or with {@code @ExtendWith} on the class, it is
 * one for all tests of the class; in an instance field, a new one for each test. With {@code @ExtendWith} tests take parameters of type
 * {@link SimulatedDynamoDb} and {@link DynamoDbAsyncClient}.
 *
 * <p>Faults end with the test that set them. A test fails at its end if a fault that it scripted was never used.
 */
public final class SimulatedDynamoDbExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    private @Nullable SimulatedDynamoDb dynamoDb;
    private boolean ofClass;

    /** The simulation of this test or class. */
    public SimulatedDynamoDb dynamoDb() {
        SimulatedDynamoDb open = dynamoDb;
        if (open == null) {
            throw new IllegalStateException("Not registered: annotate the field with @RegisterExtension");
        }
        return open;
    }

    /** A client for {@code DynajournalSetup.withClient}. */
    public DynamoDbAsyncClient client() {
        return dynamoDb().client("application");
    }

    /** What happens to requests until the end of the test. */
    public void faults(Faults faults) {
        dynamoDb().faults(faults);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        dynamoDb = SimulatedDynamoDb.inRealTime();
        ofClass = true;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (!ofClass) {
            dynamoDb = SimulatedDynamoDb.inRealTime();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Faults used = dynamoDb().faults();
        faults(Faults.none());
        if (!ofClass) {
            dynamoDb().close();
        }
        if (used instanceof ScriptedFaults script
                && script.unused() > 0
                && context.getExecutionException().isEmpty()) {
            throw new AssertionError(script.unused() + " scripted faults were never used");
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        dynamoDb().close();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == SimulatedDynamoDb.class || type == DynamoDbAsyncClient.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SimulatedDynamoDb.class ? dynamoDb() : client();
    }
}
