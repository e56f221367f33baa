package io.dynajournal.examples.shop;

import akka.Version;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.local.DynamoLocal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/** Runs {@code ./demo --serve}: the shop, until the process is ended. */
public final class Serve {

    private static final int PORT = 8080;

    private Serve() {}

    /** Arguments: the toolkit's name, and a directory for DynamoDB Local. */
    public static void main(String[] args) throws IOException, InterruptedException {
        // Initializes logging on one thread; concurrent first uses make it print a warning.
        LoggerFactory.getILoggerFactory();
        CountDownLatch ended = new CountDownLatch(1);
        Thread main = Thread.currentThread();
        try (DynamoLocal server = DynamoLocal.on(Path.of(args[1]));
                Shop shop = Shop.open(
                        ConfigFactory.parseMap(Map.of(
                                        "dynajournal.client.endpoint",
                                        server.endpoint().toString()))
                                .withFallback(ConfigFactory.load()),
                        Duration.ofSeconds(1));
                ShopPage page = ShopPage.serve(shop, PORT)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                ended.countDown();
                try {
                    main.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
            System.out.printf(
                    "Shopping carts on %s %s and their read model: open %s, end with Ctrl-C%n",
                    args[0], Version.current(), page.address());
            ended.await();
        }
    }
}
