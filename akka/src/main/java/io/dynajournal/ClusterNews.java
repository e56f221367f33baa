package io.dynajournal;

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
 * Tells the other nodes of a cluster which ids were written here, and this node which were written there. A call to look,
 * not a delivery: it may be lost. Many writes make one message, which is a text, so that the toolkit can serialize it
 * whatever its settings. Only loaded in a cluster, because it needs the toolkit's cluster tools.
 */
final class ClusterNews extends AbstractActorWithTimers {

    /** The least time between two messages. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** What a message holds at most, in characters; a frame of the toolkits' remoting takes 256 KiB. */
    private static final int LONGEST = 64 * 1024;

    /** No id that the toolkits accept has it; if one had, a call would be lost. */
    private static final String SEPARATOR = "\0";

    private record Written(String persistenceId) {}

    private record PauseOver() {}

    private final String topic;
    private final Consumer<String> heard;
    private final ActorRef mediator;
    private final Set<String> written = new LinkedHashSet<>();
    private int length;
    private boolean pausing;

    private ClusterNews(ActorRef mediator, String topic, Consumer<String> heard) {
        this.mediator = mediator;
        this.topic = topic;
        this.heard = heard;
    }

    /**
     * Begins to listen. Without the toolkit's cluster tools on the class path this throws {@link NoClassDefFoundError}.
     *
     * @param heard told of each id that another node has written
     * @return to be told of each id that this node has written
     */
    static Consumer<String> start(ExtendedActorSystem system, String journalPath, Consumer<String> heard) {
        String topic = "dynajournal/" + journalPath;
        ActorRef mediator = DistributedPubSub.get(system).mediator();
        ActorRef news = system.systemActorOf(
                Props.create(ClusterNews.class, () -> new ClusterNews(mediator, topic, heard)),
                URLEncoder.encode("dynajournal-news-" + journalPath, StandardCharsets.UTF_8));
        return persistenceId -> news.tell(new Written(persistenceId), ActorRef.noSender());
    }

    @Override
    public void preStart() {
        mediator.tell(new DistributedPubSubMediator.Subscribe(topic, getSelf()), getSelf());
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Written.class, write -> written(write.persistenceId()))
                .match(PauseOver.class, over -> {
                    pausing = false;
                    publish();
                })
                .match(String.class, this::heard)
                .match(DistributedPubSubMediator.SubscribeAck.class, subscribed -> {})
                .build();
    }

    private void written(String persistenceId) {
        if (length + persistenceId.length() < LONGEST && written.add(persistenceId)) {
            length += persistenceId.length() + 1;
        }
        if (!pausing) {
            publish();
        }
    }

    private void publish() {
        if (!written.isEmpty()) {
            mediator.tell(new DistributedPubSubMediator.Publish(topic, String.join(SEPARATOR, written)), getSelf());
            written.clear();
            length = 0;
            pausing = true;
            getTimers().startSingleTimer(PauseOver.class, new PauseOver(), PAUSE);
        }
    }

    private void heard(String news) {
        if (!getSender().equals(getSelf())) {
            List.of(news.split(SEPARATOR)).forEach(heard);
        }
    }
}
