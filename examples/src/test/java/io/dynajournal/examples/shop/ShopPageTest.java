package io.dynajournal.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.typesafe.config.ConfigFactory;
import io.dynajournal.examples.cart.PopularItems;
import io.dynajournal.examples.cart.ShoppingCart;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The page of {@code ./demo --serve}, over HTTP, with the embedded server of application.conf. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShopPageTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern LAG =
            Pattern.compile("([\\d,]+) events acknowledged, ([\\d,]+) projected; lag: ([\\d,]+) events");

    private final HttpClient http =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();
    private final Shop shop = Shop.open(ConfigFactory.load(), Duration.ofMillis(200));
    private final ShopPage page = open();

    private ShopPage open() {
        try {
            return ShopPage.serve(shop, 0);
        } catch (IOException e) {
            throw new AssertionError("no port is free", e);
        }
    }

    @BeforeAll
    void fill() {
        // Other tests of this JVM share the server, so that the read model may count their items too.
        until(html -> html.contains("<td>cart-8</td>") && html.contains("<td>apples</td>") && number(html, 1) > 20);
    }

    @AfterAll
    void stop() {
        page.close();
        shop.close();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private HttpResponse<String> send(String method, String path) {
        URI address = page.address().resolve(path);
        return send(HttpRequest.newBuilder(address).method(method, HttpRequest.BodyPublishers.noBody()));
    }

    private String until(Predicate<String> shown) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        String html = send("GET", "/").body();
        while (!shown.test(html)) {
            assertThat(System.nanoTime()).as("what the page shows: %s", html).isLessThan(deadline);
            html = send("GET", "/").body();
        }
        return html;
    }

    private static long number(String html, int group) {
        var found = LAG.matcher(html);
        assertThat(found.find()).as("the lag in %s", html).isTrue();
        return Long.parseLong(found.group(group).replace(",", ""));
    }

    @Test
    void showsCartsAndReadModel() {
        HttpResponse<String> answer = send("GET", "/");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(answer.body()).contains("<td>cart-1</td>", "<td>cart-8</td>", "<td>apples</td>");
        assertThat(send("GET", "/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void aPausedProjectionLagsAndCatchesUp() {
        assertThat(send("POST", "/pause").body()).contains("(paused)", "Resume the projection");
        long projected = number(send("GET", "/").body(), 2);
        String lagging = until(html -> number(html, 3) > 10);
        assertThat(number(lagging, 2)).isEqualTo(projected);

        assertThat(send("POST", "/resume").body())
                .contains("Pause the projection")
                .doesNotContain("(paused)");
        long written = number(lagging, 1);
        until(html -> number(html, 2) >= written && number(html, 3) < 10);
    }

    @Test
    void namesAreEscaped() {
        assertThat(ShopPage.html(new Shop.View(
                        Map.of("<cart>", ShoppingCart.Cart.EMPTY),
                        List.of(new PopularItems.Count("\"a&b\"", 1, 1)),
                        1,
                        false)))
                .contains("<td>&lt;cart&gt;</td>", "<td>&quot;a&amp;b&quot;</td>");
    }

    @Test
    void aBrowserShowsIt(@TempDir Path profile) throws IOException, InterruptedException {
        Optional<Path> browser = browser();
        if (browser.isEmpty()) {
            System.err.println("NOT TESTED: the page in a browser. No chromium or google-chrome is on the PATH.");
        }
        assumeTrue(browser.isPresent(), "no chromium or google-chrome is on the PATH");
        Path out = profile.resolve("dom");
        Process process = new ProcessBuilder(
                        browser.orElseThrow().toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--user-data-dir=" + profile.resolve("profile"),
                        "--dump-dom",
                        page.address().toString())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(Files.readString(out)).contains("<td>cart-1</td>", "<td>apples</td>", "events acknowledged");
    }

    private static Optional<Path> browser() {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(java.io.File.pathSeparator))
                .flatMap(directory -> Stream.of("chromium", "chromium-browser", "google-chrome", "chrome")
                        .map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
