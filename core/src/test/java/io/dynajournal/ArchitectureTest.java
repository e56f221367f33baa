package io.dynajournal;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ObjectInputStream;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who may know whom. A rule that matches no class fails by itself, so a moved package cannot hollow one out. */
final class ArchitectureTest {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.dynajournal");

    private static void check(ArchRule rule) {
        rule.check(CORE);
    }

    private static ArchRule only(String pack, String... others) {
        return classes()
                .that()
                .resideInAPackage(pack)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(others);
    }

    @Test
    void theModelKnowsTheJdk() {
        check(only("io.dynajournal.internal.model", "io.dynajournal.internal.model", "java..", "org.jspecify.."));
    }

    @Test
    void wireFormatsKnowTheJdk() {
        check(only("io.dynajournal.internal.wire", "io.dynajournal.internal.wire", "java..", "org.jspecify.."));
    }

    @Test
    void envelopesKnowModelAndWire() {
        check(only(
                "io.dynajournal.internal.envelope",
                "io.dynajournal.internal.envelope",
                "io.dynajournal.internal.model",
                "io.dynajournal.internal.wire",
                "java..",
                "org.jspecify.."));
    }

    @Test
    void portsKnowTheModel() {
        check(only(
                "io.dynajournal.internal.store",
                "io.dynajournal.internal.store",
                "io.dynajournal.internal.model",
                "io.dynajournal.exception",
                "java..",
                "org.jspecify.."));
    }

    @Test
    void sliceReadersKnowModelAndPorts() {
        check(only(
                "io.dynajournal.internal.slices",
                "io.dynajournal.internal.slices",
                "io.dynajournal.internal.model",
                "io.dynajournal.internal.store",
                "io.dynajournal.exception",
                "java..",
                "org.jspecify.."));
    }

    @Test
    void theDynamoPackageKnowsPortsAndTheSdk() {
        check(only(
                "io.dynajournal.internal.dynamo",
                "io.dynajournal.internal.dynamo",
                "io.dynajournal.internal.store",
                "io.dynajournal.exception",
                "io.dynajournal.listener",
                "software.amazon.awssdk..",
                "io.netty.channel..",
                "org.slf4j..",
                "java..",
                "org.jspecify.."));
    }

    @Test
    void onlyTheDynamoPackageCallsTheClient() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.dynajournal.internal.dynamo")
                .and()
                .resideInAPackage("io.dynajournal..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient"));
    }

    @Test
    void itemClassesSeeNoAttributeValues() {
        check(noClasses()
                .that()
                .haveSimpleNameEndingWith("Items")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("software.amazon.awssdk.."));
    }

    @Test
    void layoutsDoNotKnowOneAnother() {
        check(slices().matching("io.dynajournal.internal.layout.(*)..").should().notDependOnEachOther());
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("io.dynajournal.(**)").should().beFreeOfCycles());
    }

    @Test
    void nothingKnowsAToolkit() {
        check(noClasses().should().dependOnClassesThat().resideInAnyPackage("akka..", "org.apache.pekko..", "scala.."));
    }

    /** Applications without HOCON do not need its library. */
    @Test
    void onlyTheSettingsKnowHocon() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.dynajournal.internal.settings")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.typesafe.."));
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.dynajournal.internal.settings")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.dynajournal.internal.settings"));
    }

    @Test
    void nothingBlocksOrReadsTheSystemClock() {
        check(noClasses().should().callMethod(CompletableFuture.class, "join"));
        check(noClasses().should().callMethod(CompletableFuture.class, "get"));
        check(noClasses().should().callMethod(Thread.class, "sleep", long.class));
        check(noClasses().should().callMethod(System.class, "currentTimeMillis"));
        check(noClasses().should().callMethod(Instant.class, "now"));
    }

    /** What is stored may have been written by others, and Java's deserialization runs code that they choose. */
    @Test
    void nothingUsesJavaDeserialization() {
        check(noClasses().should().dependOnClassesThat().areAssignableTo(ObjectInputStream.class));
    }
}
