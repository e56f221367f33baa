package io.dynajournal.projection;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users see of projections, and what the parts may depend on. */
final class ProjectionArchitectureTest {

    private static final JavaClasses PROJECTION = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.dynajournal.projection", "io.dynajournal.internal.projection");

    private static Stream<JavaClass> api() {
        return PROJECTION.stream()
                .filter(type -> type.getPackageName().startsWith("io.dynajournal.projection"))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC));
    }

    @Test
    void usersSeeFourTypesForEachLanguage() {
        assertThat(api().map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrder(
                        "DynajournalProjection",
                        "DynajournalProjection",
                        "DynajournalTransactHandler",
                        "DynajournalTransactHandler",
                        "DurableStateSourceProvider",
                        "DurableStateSourceProvider",
                        "EventSourcedSnapshotProvider",
                        "EventSourcedSnapshotProvider");
    }

    @Test
    void noSignatureHasAnInternalType() {
        List<JavaMethod> leaks = api().flatMap(type -> type.getMethods().stream())
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(method -> Stream.concat(Stream.of(method.getReturnType()), method.getParameterTypes().stream())
                        .flatMap(type -> type.getAllInvolvedRawTypes().stream())
                        .anyMatch(type -> type.getPackageName().startsWith("io.dynajournal.internal")))
                .toList();
        assertThat(leaks).isEmpty();
    }

    @Test
    void onlyTheTableSendsRequests() {
        noClasses()
                .that()
                .resideInAPackage("io.dynajournal.internal.projection")
                .and()
                .doNotHaveSimpleName("OffsetTable")
                .and()
                .doNotHaveSimpleName("SlicesProjection")
                .should()
                .dependOnClassesThat()
                .haveSimpleName("Dynamo")
                .check(PROJECTION);
        noClasses()
                .that()
                .resideInAPackage("io.dynajournal.internal.projection")
                .should()
                .dependOnClassesThat()
                .haveSimpleName("DynamoDbAsyncClient")
                .check(PROJECTION);
    }
}
