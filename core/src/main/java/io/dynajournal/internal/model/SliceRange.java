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
}
