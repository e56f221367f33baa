package io.dynajournal.examples.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
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
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="refresh" content="1">
                <title>Shopping carts on DynamoDB</title>
                <style>
                body { font-family: sans-serif; margin: 2em; max-width: 60em; color: #222 }
                main { display: flex; gap: 3em; flex-wrap: wrap }
                table { border-collapse: collapse }
                th, td { padding: 0.2em 0.8em; text-align: left; border-bottom: 1px solid #ddd }
                td.number { text-align: right }
                </style>
                </head>
                <body>
                <h1>Shopping carts on DynamoDB</h1>
                <p>Carts store events. A projection turns the events of all carts into a read model, each exactly once.</p>
                <p id="lag">%s</p>
                <form method="post" action="%s"><button>%s</button></form>
                <main>
                <section><h2>Carts</h2><table id="carts">
                <tr><th>cart</th><th>pieces</th><th>items</th></tr>
                %s
                </table></section>
                <section><h2>Read model: items by popularity</h2><table id="popular">
                <tr><th>item</th><th>pieces</th></tr>
                %s
                </table></section>
                </main>
                </body>
                </html>
                """.formatted(
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
                                .map(count -> row(count.item(), count.quantity()))
                                .collect(Collectors.joining("\n")));
    }

    private static String row(String name, long number, String... more) {
        StringBuilder row =
                new StringBuilder("<tr><td>" + escaped(name) + "</td><td class=\"number\">" + number + "</td>");
        for (String cell : more) {
            row.append("<td>").append(escaped(cell)).append("</td>");
        }
        return row.append("</tr>").toString();
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
