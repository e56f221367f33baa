package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.event.Logging;
import akka.persistence.SaveSnapshotSuccess;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.AppenderBase;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.local.EmbeddedDynamoLocal;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/**
 * Secrets and payloads are planted, requests of all kinds succeed and fail, and everything that is printed at TRACE, thrown or
 * reported to listeners is searched for them.
 */
final class SecretsTest {

    private static final String ACCESS_KEY = "AKIAPLANTEDACCESSKEY";
    private static final String SECRET_KEY = "planted-secret-key-7f1c";
    private static final String SESSION_TOKEN = "planted-session-token-93ab";
    private static final String PAYLOAD = "planted-payload-51de";
    /** A payload may also be printed as its bytes: base64 at any of three offsets, hex, or a list of numbers. */
    private static final List<String> PLANTED = List.of(
            ACCESS_KEY,
            SECRET_KEY,
            SESSION_TOKEN,
            PAYLOAD,
            base64(PAYLOAD, 0),
            base64(PAYLOAD, 1),
            base64(PAYLOAD, 2),
            "706c616e7465642d7061796c6f6164",
            "112, 108, 97, 110, 116, 101, 100");

    /**
     * The AWS SDK and its HTTP clients print requests, if they are asked to. SECURITY.md says so; everything else is searched.
     */
    private static final List<String> OF_THE_SDK = List.of("software.amazon.awssdk.", "io.netty.");

    static {
        // Its start may take longer than the toolkit's circuit breaker waits.
        new EmbeddedDynamoLocal().start(null);
    }

    @RegisterExtension
    final Systems systems = new Systems();

    private final Queue<String> printed = new ConcurrentLinkedQueue<>();
    private final ByteArrayOutputStream console = new ByteArrayOutputStream();
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level level = root.getLevel();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (OF_THE_SDK.stream().noneMatch(event.getLoggerName()::startsWith)) {
                printed.add(
                        event.getLoggerName() + " " + event.getFormattedMessage() + thrown(event.getThrowableProxy()));
            }
        }
    };

    private static String base64(String text, int skipped) {
        // The last group depends on what follows.
        String whole =
                Base64.getEncoder().encodeToString(text.substring(skipped).getBytes(StandardCharsets.UTF_8));
        return whole.substring(0, whole.length() - 6);
    }

    private static String thrown(@Nullable IThrowableProxy proxy) {
        StringBuilder text = new StringBuilder();
        for (IThrowableProxy each = proxy; each != null; each = each.getCause()) {
            text.append('\n').append(each.getClassName()).append(": ").append(each.getMessage());
            for (StackTraceElementProxy line : each.getStackTraceElementProxyArray()) {
                text.append('\n').append(line);
            }
        }
        return text.toString();
    }

    @BeforeEach
    void capture() {
        System.setOut(new PrintStream(console, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(console, true, StandardCharsets.UTF_8));
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.setLevel(Level.TRACE);
        root.addAppender(appender);
        root.getAppender("out").stop();
    }

    @AfterEach
    void release() {
        root.detachAppender(appender);
        root.setLevel(level);
        root.getAppender("out").start();
        System.setOut(out);
        System.setErr(err);
    }

    private void record(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        printed.add(text.toString());
    }

    private ActorSystem start(String settings) {
        ActorSystem system = systems.start(
                "akka { loglevel = DEBUG }, pekko { loglevel = DEBUG }\n" + settings,
                DynajournalSetup.create().withRequestListener(new RequestListener() {
                    @Override
                    public void onRequest(RequestEvent event) {
                        printed.add(event.toString());
                        if (event.failure() != null) {
                            record(event.failure());
                        }
                    }
                }));
        logs = new Probe(system);
        system.eventStream().subscribe(logs.ref(), Logging.LogEvent.class);
        return system;
    }

    private @Nullable Probe logs;

    private static String credentials(String secretKey) {
        return "dynajournal.client { region = eu-west-1, credentials { provider = static, access-key-id = " + ACCESS_KEY
                + ", secret-access-key = \"" + secretKey + "\", session-token = \"" + SESSION_TOKEN + "\" } }\n";
    }

    private void nothingIsPrinted() {
        for (Logging.LogEvent event : Objects.requireNonNull(logs).heard(Logging.LogEvent.class)) {
            printed.add(event.logSource() + " " + event.message());
            if (event instanceof Logging.Error error) {
                record(error.cause());
            }
        }
        printed.add(console.toString(StandardCharsets.UTF_8));
        // It was really listening.
        assertThat(printed).anyMatch(line -> line.contains("dynajournal"));
        assertThat(printed).allSatisfy(line -> assertThat(line).doesNotContain(PLANTED));
    }

    @Test
    void nothingOfAWriteOrARecoveryIsPrinted() {
        try (FaultProxy proxy = Systems.proxy()) {
            ActorSystem system = start(credentials(SECRET_KEY) + Systems.through(proxy));
            String id = Systems.freshId();
            Probe probe = new Probe(system);
            ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
            probe.expect(Ledger.Recovered.class);
            proxy.when(RequestMatch.operation("PutItem")).answer(ErrorAnswer.internalServerError());
            ledger.tell(new Ledger.Add(PAYLOAD), ActorRef.noSender());
            probe.expect(Ledger.Added.class);
            ledger.tell(new Ledger.AddAll(List.of(PAYLOAD, PAYLOAD)), ActorRef.noSender());
            probe.expect(2, Ledger.Added.class);
            ledger.tell(new Ledger.Save(), ActorRef.noSender());
            probe.expect(SaveSnapshotSuccess.class);
            proxy.when(RequestMatch.operation("PutItem"))
                    .answer(ErrorAnswer.of(400, "AccessDeniedException", "not allowed"));
            ledger.tell(new Ledger.Add(PAYLOAD), ActorRef.noSender());
            record(probe.expect(Ledger.Failed.class).cause());
            system.actorOf(Ledger.props(id, probe.ref()));
            probe.expect(Ledger.Recovered.class);

            nothingIsPrinted();
        }
    }

    @Test
    void nothingOfAnEventThatCannotBeStoredIsPrinted() {
        ActorSystem system = start(credentials(SECRET_KEY));
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(Systems.freshId(), probe.ref()));
        probe.expect(Ledger.Recovered.class);
        ledger.tell(new Ledger.Add(new Unserializable()), ActorRef.noSender());
        record(probe.expect(Ledger.Rejected.class).cause());

        nothingIsPrinted();
    }

    @Test
    void nothingOfRefusedCredentialsIsPrinted() {
        try (FaultProxy proxy = Systems.proxy()) {
            proxy.when(RequestMatch.all())
                    .always()
                    .answer(ErrorAnswer.of(
                            400, "ExpiredTokenException", "The security token included in the request is expired"));
            ActorSystem system = start(credentials(SECRET_KEY) + Systems.through(proxy));
            Probe probe = new Probe(system);
            system.actorOf(Ledger.props(Systems.freshId(), probe.ref()));
            record(probe.expect(Ledger.RecoveryFailed.class).cause());

            nothingIsPrinted();
        }
    }

    @Test
    void nothingOfSettingsThatAreRefusedIsPrinted() {
        ActorSystem system = start(credentials(SECRET_KEY)
                + "dynajournal.client { http.proxy-password = " + SECRET_KEY + ", credentials.secret-acess-key = "
                + SECRET_KEY + " }");
        Probe probe = new Probe(system);
        system.actorOf(Ledger.props(Systems.freshId(), probe.ref()));
        record(probe.expect(Ledger.RecoveryFailed.class).cause());

        nothingIsPrinted();
    }
}
