package io.dynajournal.local;

/** The Maven coordinates of a jar. */
record Coordinates(String group, String artifact, String version) {

    static Coordinates parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("Not group:artifact:version: " + text);
        }
        return new Coordinates(parts[0], parts[1], parts[2]);
    }

    String fileName() {
        return artifact + '-' + version + ".jar";
    }

    /** The path of the jar in a Maven repository. */
    String path() {
        return group.replace('.', '/') + '/' + artifact + '/' + version + '/' + fileName();
    }

    @Override
    public String toString() {
        return group + ':' + artifact + ':' + version;
    }
}
