package io.dynajournal.examples.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.dynajournal.examples.cart.PopularItems;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/** Serves a page with the carts, the read model and its lag, on this machine only. */
final class ShopPage implements AutoCloseable {

    private final Shop shop;
    private final HttpServer server;

    private ShopPage(Shop shop, HttpServer server) {
        this.shop = shop;
        this.server = server;
    }

    /**
     * Serves at this port, or at another one if it is in use.
     *
     * @param port 0 for any
     */
    static ShopPage serve(Shop shop, int port) throws IOException {
        ShopPage page = new ShopPage(shop, bound(port));
        page.server.createContext("/", page::handle);
        page.server.start();
        return page;
    }

    private static HttpServer bound(int port) throws IOException {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (BindException e) {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        }
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (exchange.getRequestMethod().equals("POST") && (path.equals("/pause") || path.equals("/resume"))) {
                shop.pause(path.equals("/pause")).toCompletableFuture().join();
                exchange.getResponseHeaders().add("Location", "/");
                exchange.sendResponseHeaders(303, -1);
            } else if (path.equals("/")) {
                answer(exchange, 200, html(shop.view().toCompletableFuture().join()));
            } else {
                answer(exchange, 404, "<!DOCTYPE html><title>Not found</title>");
            }
        } catch (CompletionException e) {
            answer(exchange, 500, "<!DOCTYPE html><title>Failed</title><p>" + escaped(String.valueOf(e.getCause())));
        }
    }

    private static void answer(HttpExchange exchange, int status, String html) throws IOException {
        byte[] bytes = html.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    static String html(Shop.View view) {
        long most =
                view.popular().stream().mapToLong(PopularItems.Count::quantity).reduce(1, Math::max);
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta http-equiv="refresh" content="1">
                <title>Shopping carts on DynamoDB</title>
                <style>
                :root { color-scheme: light dark }
                body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 2rem 1.5rem; max-width: 62rem }
                h1 { font-size: 1.7rem; margin: 0 0 0.3rem }
                h2 { font-size: 1.1rem; margin: 0 0 0.6rem }
                #lag { font-size: 1.1rem; font-variant-numeric: tabular-nums; margin: 1.2rem 0 0.6rem; padding: 0.7rem 1rem;
                    border-left: 0.3rem solid %s; background: rgba(127, 127, 127, 0.12) }
                button { font: inherit; padding: 0.3rem 1rem; cursor: pointer }
                main { display: flex; gap: 1.5rem 3rem; flex-wrap: wrap; margin-top: 1.8rem }
                section { flex: 1 1 24rem }
                table { border-collapse: collapse; width: 100%% }
                th, td { padding: 0.25rem 0.8rem 0.25rem 0; text-align: left; border-bottom: 1px solid rgba(127, 127, 127, 0.3) }
                .number { text-align: right; font-variant-numeric: tabular-nums }
                .bar { width: 50%%; padding-right: 0 }
                .bar div { height: 0.8rem; background: #3b7dd8 }
                </style>
                </head>
                <body>
                <h1>Shopping carts on DynamoDB</h1>
                <p>Carts store events. A projection turns the events of all carts into a read model and counts each exactly once.
                Pause it, and the carts go on while the read model waits; resume it, and it catches up.</p>
                <p id="lag">%s</p>
                <form method="post" action="%s"><button>%s</button></form>
                <main>
                <section><h2>Carts</h2><table id="carts">
                <tr><th>cart</th><th class="number">pieces</th><th>items</th></tr>
                %s
                </table></section>
                <section><h2>Read model: items by popularity</h2><table id="popular">
                <tr><th>item</th><th class="number">pieces</th><th></th></tr>
                %s
                </table></section>
                </main>
                </body>
                </html>
                """.formatted(
                        view.paused() ? "#d98c00" : "#2e9e5b",
                        String.format(
                                Locale.ROOT,
                                "%,d events acknowledged, %,d projected; lag: %,d events%s",
                                view.written(),
                                view.projected(),
                                view.lag(),
                                view.paused() ? " (paused)" : ""),
                        view.paused() ? "/resume" : "/pause",
                        view.paused() ? "Resume the projection" : "Pause the projection",
                        view.carts().entrySet().stream()
                                .map(cart -> row(
                                        cart.getKey(),
                                        cart.getValue().items().values().stream()
                                                .mapToLong(Integer::longValue)
                                                .sum(),
                                        String.join(
                                                ", ",
                                                cart.getValue().items().keySet().stream()
                                                        .sorted()
                                                        .toList())))
                                .collect(Collectors.joining("\n")),
                        view.popular().stream()
                                .map(count -> popularity(count.item(), count.quantity(), most))
                                .collect(Collectors.joining("\n")));
    }

    private static String popularity(String item, long quantity, long most) {
        return "<tr>" + cells(item, quantity) + "<td class=\"bar\"><div style=\"width: " + 100 * quantity / most
                + "%\"></div></td></tr>";
    }

    private static String row(String name, long number, String... more) {
        StringBuilder row = new StringBuilder("<tr>").append(cells(name, number));
        for (String cell : more) {
            row.append("<td>").append(escaped(cell)).append("</td>");
        }
        return row.append("</tr>").toString();
    }

    private static String cells(String name, long number) {
        return "<td>" + escaped(name) + "</td><td class=\"number\">" + number + "</td>";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
