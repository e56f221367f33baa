package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import java.io.File;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the embedded server needs is in its own process; and all of the toolkit is of one version. */
final class ClassPathTest {

    private static final Pattern TOOLKIT =
            Pattern.compile("(?:akka|pekko)-(?:actor|persistence|stream|slf4j|testkit)[a-z-]*_[0-9.]+-(.+)\\.jar");

    private final List<String> files = List.of(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .stream()
            .map(path -> new File(path).getName())
            .toList();

    @Test
    void holdsNothingOfDynamoDbLocal() {
        assertThat(files).anyMatch(name -> name.startsWith("aws-core"));
        assertThat(files).noneMatch(name -> name.startsWith("DynamoDBLocal"));
        assertThat(files).noneMatch(name -> name.startsWith("aws-java-sdk-"));
    }

    @Test
    void holdsOneVersionOfTheToolkit() {
        List<String> versions = files.stream()
                .map(TOOLKIT::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .distinct()
                .toList();

        assertThat(versions).containsExactly(ActorSystem.Version());
        assertThat(versions).containsExactly(System.getProperty("toolkit.version"));
    }
}
