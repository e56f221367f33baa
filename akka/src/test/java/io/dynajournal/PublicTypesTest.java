package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users see of core and adapter: few types, none of them internal, all of them documented. */
final class PublicTypesTest {

    private static final String INTERNAL = "io.dynajournal.internal";

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.dynajournal");

    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("(?m)^( *)public (?:[a-z-]+ )*(?:class|interface|record|enum) (\\w+)");

    private static boolean isInternal(JavaClass type) {
        return type.getPackageName().startsWith(INTERNAL);
    }

    /** Public, and so is every type around it. */
    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(PublicTypesTest::isPublic).orElse(true);
    }

    private static Stream<JavaClass> api() {
        return ALL.stream()
                .filter(type -> type.getPackageName().startsWith("io.dynajournal"))
                .filter(Predicate.not(PublicTypesTest::isInternal))
                .filter(type -> !type.getPackageName().startsWith("io.dynajournal.local"))
                .filter(type -> !type.getPackageName().startsWith("io.dynajournal.testkit"))
                .filter(PublicTypesTest::isPublic);
    }

    private static Stream<JavaType> signature(JavaMember member) {
        return member instanceof JavaField field
                ? Stream.of(field.getType())
                : member instanceof JavaCodeUnit code
                        ? Stream.concat(Stream.of(code.getReturnType()), code.getParameterTypes().stream())
                        : Stream.of();
    }

    @Test
    void noSignatureOfAPublicTypeHasAnInternalType() {
        // Created by a provider or a subclass of ours in another package, never by an application.
        Set<String> createdByUs = Set.of(
                "io.dynajournal.query.javadsl.DynajournalReadJournal",
                "io.dynajournal.query.scaladsl.DynajournalReadJournal",
                "io.dynajournal.state.javadsl.DynajournalDurableStateStore",
                "io.dynajournal.state.scaladsl.DynajournalDurableStateStore");
        List<String> leaks = api().flatMap(type -> type.getMembers().stream())
                .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC)
                        || member.getModifiers().contains(JavaModifier.PROTECTED))
                .filter(member -> !member.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(member -> !(member instanceof JavaConstructor
                        && createdByUs.contains(member.getOwner().getName())))
                .filter(member -> signature(member)
                        .flatMap(type -> type.getAllInvolvedRawTypes().stream())
                        .anyMatch(PublicTypesTest::isInternal))
                .map(JavaMember::getFullName)
                .sorted()
                .toList();

        assertThat(leaks).isEmpty();
    }

    @Test
    void rootPackageHasOnlyWhatTheDocumentationMentions() {
        assertThat(api().filter(type -> type.getPackageName().equals("io.dynajournal"))
                        .filter(JavaClass::isTopLevelClass)
                        .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrder(
                        "Dynajournal", "DynajournalSetup", "StateColumns", "TableDescription", "Tables");
    }

    @Test
    void documentationMentionsEveryTypeOfTheRootPackage() throws IOException {
        StringBuilder pages = new StringBuilder(Files.readString(root().resolve("README.md")));
        try (Stream<Path> files = Files.walk(root().resolve("docs"))) {
            for (Path page :
                    files.filter(each -> each.toString().endsWith(".md")).toList()) {
                pages.append(Files.readString(page));
            }
        }
        assertThat(api().filter(type -> type.getPackageName().equals("io.dynajournal"))
                        .filter(JavaClass::isTopLevelClass)
                        .map(JavaClass::getSimpleName))
                .isNotEmpty()
                // "Dynajournal." may end a sentence.
                .allSatisfy(name -> assertThat(pages).containsPattern("\\b" + name + "([.][a-z]|[<(`])"));
    }

    private static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("docs/adopting.md"))) {
            root = Objects.requireNonNull(root.getParent(), "docs/adopting.md");
        }
        return root;
    }

    @Test
    void mostTypesAreNotPublic() {
        Set<String> notOurs = Set.of("io.dynajournal.local", "io.dynajournal.testkit");
        List<JavaClass> types = ALL.stream()
                .filter(type -> notOurs.stream().noneMatch(type.getPackageName()::startsWith))
                .filter(type -> !type.isAnonymousClass() && !type.isLocalClass())
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .toList();
        long open = types.stream().filter(PublicTypesTest::isPublic).count();

        System.out.printf(
                "%d of %d types are public, %d outside the internal packages%n", open, types.size(), api().count());
        assertThat(open * 100.0 / types.size()).isLessThanOrEqualTo(40);
        assertThat(api().count() * 100.0 / types.size())
                .as("outside the internal packages")
                .isLessThan(15);
    }

    @Test
    void everyPublicTypeHasJavadoc() throws IOException {
        for (String module : List.of("core", "akka")) {
            Path sources = root().resolve(module).resolve("src/main/java/io/dynajournal");
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                        .filter(each -> !each.startsWith(sources.resolve("internal")))
                        .toList()) {
                    String text = Files.readString(file);
                    PUBLIC_TYPE
                            .matcher(text)
                            .results()
                            .forEach(type -> assertThat(text.substring(0, type.start())
                                            .replaceAll("(?m)^ *@[\\w(\"), .]+$", "")
                                            .stripTrailing())
                                    .as("Javadoc of %s in %s", type.group(2), file)
                                    .endsWith("*/"));
                }
            }
        }
    }
}
