package io.dynajournal.internal.plugin;

import akka.actor.AbstractActorWithTimers;
import akka.actor.ActorRef;
import akka.actor.ExtendedActorSystem;
import akka.actor.Props;
import akka.cluster.pubsub.DistributedPubSub;
import akka.cluster.pubsub.DistributedPubSubMediator;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Sends the persistence ids that were written on this node to the other nodes of a cluster, and receives theirs. A message is
 * a wake-up, not a delivery, and may be lost. Many writes are sent as one message: a String, which the toolkit can serialize
 * with any settings. Only loaded in a cluster, because it needs the toolkit's cluster-tools.
 */
final class ClusterNotifications extends AbstractActorWithTimers {

    /** The minimum time between two messages. */
    private static final Duration MIN_INTERVAL = Duration.ofMillis(20);

    /** Maximum length of a message; a frame of the toolkits' remoting holds 256 KiB. */
    private static final int MAX_CHARS = 64 * 1024;

    /** An id that contained it would not be woken; its queries would poll. */
    private static final String SEPARATOR = "\0";

    private record Written(String persistenceId) {}

    private record IntervalOver() {}

    private final String topic;
    private final Consumer<String> heard;
    private final ActorRef mediator;
    private final Set<String> written = new LinkedHashSet<>();
    private int length;
    private boolean waiting;

    private ClusterNotifications(ActorRef mediator, String topic, Consumer<String> heard) {
        this.mediator = mediator;
        this.topic = topic;
        this.heard = heard;
    }

    /**
     * Starts the actor. Throws {@link NoClassDefFoundError} if the toolkit's cluster-tools are not on the class path.
     *
     * @param heard receives each persistence id that another node has written
     * @return takes each persistence id that this node has written
     */
    public static Consumer<String> start(ExtendedActorSystem system, String journalPath, Consumer<String> heard) {
        String topic = "dynajournal/" + journalPath;
        ActorRef mediator = DistributedPubSub.get(system).mediator();
        ActorRef notifications = system.systemActorOf(
                Props.create(ClusterNotifications.class, () -> new ClusterNotifications(mediator, topic, heard)),
                URLEncoder.encode("dynajournal-notifications-" + journalPath, StandardCharsets.UTF_8));
        return persistenceId -> notifications.tell(new Written(persistenceId), ActorRef.noSender());
    }

    @Override
    public void preStart() {
        mediator.tell(new DistributedPubSubMediator.Subscribe(topic, getSelf()), getSelf());
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Written.class, write -> written(write.persistenceId()))
                .match(IntervalOver.class, over -> {
                    waiting = false;
                    publish();
                })
                .match(String.class, this::heard)
                .match(DistributedPubSubMediator.SubscribeAck.class, subscribed -> {})
                .build();
    }

    private void written(String persistenceId) {
        if (length + persistenceId.length() < MAX_CHARS && written.add(persistenceId)) {
            length += persistenceId.length() + 1;
        }
        if (!waiting) {
            publish();
        }
    }

    private void publish() {
        if (!written.isEmpty()) {
            mediator.tell(new DistributedPubSubMediator.Publish(topic, String.join(SEPARATOR, written)), getSelf());
            written.clear();
            length = 0;
            waiting = true;
            getTimers().startSingleTimer(IntervalOver.class, new IntervalOver(), MIN_INTERVAL);
        }
    }

    private void heard(String message) {
        if (!getSender().equals(getSelf())) {
            List.of(message.split(SEPARATOR)).forEach(heard);
        }
    }
}
