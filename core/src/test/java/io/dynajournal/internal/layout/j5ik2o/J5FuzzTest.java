package io.dynajournal.internal.layout.j5ik2o;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynajournal.internal.layout.ItemFuzz;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Decoders of the layout under a fuzzer that is guided by coverage; without JAZZER_FUZZ=1 only its corpus. */
final class J5FuzzTest {

    private static final ItemFuzz FUZZ = new ItemFuzz(J5DamageTest.TABLE, J5DamageTest.SECRET, J5DamageTest.subjects());

    static Stream<byte[]> seeds() {
        return FUZZ.seeds();
    }

    // Jazzer wants its annotation last.
    @MethodSource("seeds")
    @FuzzTest
    void anyItemIsDecodedOrReported(byte[] input) {
        FUZZ.check(input);
    }
}
