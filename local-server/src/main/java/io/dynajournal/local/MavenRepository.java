package io.dynajournal.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** The local Maven repository, found as Maven finds it. */
record MavenRepository(Path root) implements JarSource {

    /** Our own property first, then Maven's, then the one that Surefire passes to its forks. */
    private static final String[] PROPERTIES = {"dynajournal-local.repository", "maven.repo.local", "localRepository"};

    static MavenRepository find() {
        Properties system = System.getProperties();
        return find(system, Path.of(system.getProperty("user.home"), ".m2"));
    }

    static MavenRepository find(Properties system, Path m2) {
        return Stream.of(PROPERTIES)
                .map(system::getProperty)
                .filter(value -> value != null && !value.isBlank())
                .findFirst()
                .map(value -> new MavenRepository(Path.of(value)))
                .orElseGet(() -> configured(m2));
    }

    @Override
    public Optional<Path> jar(Coordinates coordinates) {
        return Optional.of(root.resolve(coordinates.path())).filter(Files::isRegularFile);
    }

    @Override
    public String describe() {
        return "the Maven repository " + root;
    }

    private static MavenRepository configured(Path m2) {
        Path settings = m2.resolve("settings.xml");
        String configured = Files.isRegularFile(settings) ? localRepository(settings) : null;
        return new MavenRepository(configured == null ? m2.resolve("repository") : Path.of(configured));
    }

    private static @Nullable String localRepository(Path settings) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            DocumentBuilder builder = factory.newDocumentBuilder();
            // The default handler prints to standard error; the exception contains the same.
            builder.setErrorHandler(new DefaultHandler());
            NodeList found = builder.parse(settings.toFile()).getElementsByTagName("localRepository");
            return found.getLength() == 0 ? null : interpolated(found.item(0).getTextContent());
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("Cannot read <localRepository> from " + settings, e);
        }
    }

    /** Resolves the one variable that settings use in practice. */
    private static @Nullable String interpolated(String text) {
        String value = text.strip().replace("${user.home}", System.getProperty("user.home"));
        return value.isEmpty() ? null : value;
    }
}
