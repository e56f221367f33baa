package io.dynajournal.local;

/** A jar's Maven coordinates. */
record Coordinates(String group, String artifact, String version) {

    static Coordinates parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("Not group:artifact:version: " + text);
        }
        return new Coordinates(parts[0], parts[1], parts[2]);
    }

    /** Where a Maven repository keeps the jar. */
    String path() {
        return group.replace('.', '/') + '/' + artifact + '/' + version + '/' + artifact + '-' + version + ".jar";
    }

    @Override
    public String toString() {
        return group + ':' + artifact + ':' + version;
    }
}
