package io.dynajournal.model;

/** Slices from one to another, both inclusive. */
public record SliceRange(int min, int max) {

    public static final SliceRange ALL = new SliceRange(0, Slices.COUNT - 1);

    public SliceRange {
        if (min < 0 || max >= Slices.COUNT || min > max) {
            throw new IllegalArgumentException(
                    "slices go from 0 to " + (Slices.COUNT - 1) + " and upwards, not from " + min + " to " + max);
        }
    }

    public boolean contains(String persistenceId) {
        int slice = Slices.of(persistenceId);
        return slice >= min && slice <= max;
    }
}
