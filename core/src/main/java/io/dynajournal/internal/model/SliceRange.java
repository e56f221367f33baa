package io.dynajournal.internal.model;

/** A range of slices, both ends inclusive. */
public record SliceRange(int min, int max) {

    public static final SliceRange ALL = new SliceRange(0, Slices.COUNT - 1);

    public SliceRange {
        if (min < 0 || max >= Slices.COUNT || min > max) {
            throw new IllegalArgumentException("A range of slices lies within 0 to " + (Slices.COUNT - 1)
                    + ", the lower first; found " + min + " to " + max + ".");
        }
    }

    public boolean contains(String persistenceId) {
        int slice = Slices.of(persistenceId);
        return slice >= min && slice <= max;
    }

    /** Whether it is one of the parts that result from splitting all slices into a power of two of equal ranges. */
    public boolean isEqualPart() {
        int size = max - min + 1;
        return Integer.bitCount(size) == 1 && min % size == 0;
    }
}
