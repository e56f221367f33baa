package io.dynajournal;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.ObjectInputStream;
import org.junit.jupiter.api.Test;

/** Who may know whom in the adapter. */
final class AdapterArchitectureTest {

    private static final JavaClasses ADAPTER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.dynajournal");

    @Test
    void toolkitPartsKnowNoPlugin() {
        noClasses()
                .that(resideInAPackage("io.dynajournal.internal.toolkit"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.dynajournal",
                        "io.dynajournal.journal",
                        "io.dynajournal.snapshot",
                        "io.dynajournal.internal.settings")
                .check(ADAPTER);
    }

    @Test
    void sharedPartsKnowNoPlugin() {
        noClasses()
                .that(resideInAPackage("io.dynajournal"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.dynajournal.journal", "io.dynajournal.snapshot", "io.dynajournal.query..")
                .check(ADAPTER);
    }

    @Test
    void pluginsDoNotKnowOneAnotherNorTheClient() {
        noClasses()
                .that(resideInAPackage("io.dynajournal.journal"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.dynajournal.snapshot", "io.dynajournal.internal.dynamo", "software.amazon..")
                .check(ADAPTER);
        noClasses()
                .that(resideInAPackage("io.dynajournal.snapshot"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.dynajournal.journal", "io.dynajournal.internal.dynamo", "software.amazon..")
                .check(ADAPTER);
        noClasses()
                .that(resideInAPackage("io.dynajournal.query.."))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.dynajournal.journal",
                        "io.dynajournal.snapshot",
                        "io.dynajournal.internal.dynamo",
                        "io.dynajournal.internal.layout..",
                        "software.amazon..")
                .check(ADAPTER);
    }

    /** Of the adapter, and of the core and the test kit, which are on its class path. */
    @Test
    void nothingUsesJavaDeserialization() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ObjectInputStream.class)
                .check(ADAPTER);
    }
}
