package io.dynajournal.layout.j5ik2o;

import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.store.StoreException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The four resolvers by their known class names, and a user's own by its class. Digits are ASCII whatever the locale.
 *
 * <p>Names are accepted with {@code $} and with a dot before the nested class, from all three packages and from the fork
 * for Pekko, because the predecessor's pages spell them all these ways. {@code Default} is what it was up to 1.11.
 */
final class J5Resolvers {

    private static final String PACKAGE = "com.github.j5ik2o.akka.persistence.dynamodb.journal.";
    private static final String STATE_PACKAGE = "com.github.j5ik2o.akka.persistence.dynamodb.state.";
    private static final String PARTITION = "PartitionKeyResolver";
    private static final String SORT = "SortKeyResolver";
    private static final Pattern KNOWN =
            Pattern.compile("com\\.github\\.j5ik2o\\.(?:akka|pekko)\\.persistence\\.dynamodb"
                    + "\\.(journal|snapshot|state)\\.(" + PARTITION + "|" + SORT + ")[.$](\\w+)");
    private static final Pattern PROVIDER = Pattern.compile("com\\.github\\.j5ik2o\\.(?:akka|pekko)\\.persistence"
            + "\\.dynamodb\\.(?:journal|snapshot|state)\\.(?:" + PARTITION + "|" + SORT + ")Provider[.$]Default");

    static final String SEQUENCE_NUMBER_BASED = "SequenceNumberBased";
    static final String PERSISTENCE_ID_BASED = "PersistenceIdBased";
    static final String SEQ_NR = "SeqNr";
    static final String PERSISTENCE_ID_WITH_SEQ_NR = "PersistenceIdWithSeqNr";

    private static final int SHARD_DIGITS = 40;
    private static final int NUMBER_DIGITS = 19;

    private J5Resolvers() {}

    /** {@code id-(number mod shards)}: no two ids share a partition. */
    record SequenceNumberBased(int shards) implements KeyResolver {
        @Override
        public String key(String persistenceId, long seqNr) {
            return shard(persistenceId, seqNr % shards);
        }

        String shard(String persistenceId, long shard) {
            return persistenceId + "-" + Long.toString(shard);
        }
    }

    /** {@code prefix-shard}, one partition for all of an id; many ids share it. */
    record PersistenceIdBased(int shards, String separator) implements KeyResolver {
        @Override
        public String key(String persistenceId, long seqNr) {
            BigInteger hash = new BigInteger(
                    md5(new StringBuilder(persistenceId).reverse().toString()));
            long shard = hash.abs().mod(BigInteger.valueOf(shards)).longValue() + 1;
            String digits = padded(shard, SHARD_DIGITS);
            return has(persistenceId, separator) ? part(persistenceId, separator, 0) + "-" + digits : digits;
        }
    }

    /** The bare number, without leading zeros: such rows do not sort by number. */
    record SeqNr() implements KeyResolver {
        @Override
        public String key(String persistenceId, long seqNr) {
            return Long.toString(seqNr);
        }
    }

    /** {@code body-number}, with leading zeros. Of an id with several separators, only the second part is the body. */
    record PersistenceIdWithSeqNr(String separator) implements KeyResolver {
        @Override
        public String key(String persistenceId, long seqNr) {
            String digits = padded(seqNr, NUMBER_DIGITS);
            return has(persistenceId, separator) ? part(persistenceId, separator, 1) + "-" + digits : digits;
        }
    }

    static KeyResolver partition(LayoutSettings settings, int shards, String separator) {
        String key = "partition-key-resolver-class-name";
        checkProvider(settings, "partition-key-resolver-provider-class-name");
        String name = settings.text(key, PACKAGE + PARTITION + "$" + PERSISTENCE_ID_BASED);
        Matcher known = KNOWN.matcher(name);
        if (!known.matches()) {
            return own(settings, key, name);
        }
        boolean state = known.group(1).equals("state");
        return switch (known.group(2) + "." + known.group(3)) {
            case PARTITION + "." + SEQUENCE_NUMBER_BASED -> new SequenceNumberBased(shards);
            case PARTITION + "." + PERSISTENCE_ID_BASED -> new PersistenceIdBased(shards, separator);
            case PARTITION + ".Default" ->
                state ? new PersistenceIdBased(shards, separator) : new SequenceNumberBased(shards);
            default -> throw unknown(key, name, SEQUENCE_NUMBER_BASED, PERSISTENCE_ID_BASED);
        };
    }

    static KeyResolver sort(LayoutSettings settings, String separator) {
        String key = "sort-key-resolver-class-name";
        checkProvider(settings, "sort-key-resolver-provider-class-name");
        String name = settings.text(key, PACKAGE + SORT + "$" + PERSISTENCE_ID_WITH_SEQ_NR);
        Matcher known = KNOWN.matcher(name);
        if (!known.matches()) {
            return own(settings, key, name);
        }
        return switch (known.group(2) + "." + known.group(3)) {
            case SORT + "." + SEQ_NR -> new SeqNr();
            case SORT + "." + PERSISTENCE_ID_WITH_SEQ_NR, SORT + ".Default" -> new PersistenceIdWithSeqNr(separator);
            default -> throw unknown(key, name, SEQ_NR, PERSISTENCE_ID_WITH_SEQ_NR);
        };
    }

    /** Of states, which have no number. */
    static KeyResolver statePartition(LayoutSettings settings, int shards, String separator) {
        String key = "partition-key-resolver-class-name";
        checkProvider(settings, "partition-key-resolver-provider-class-name");
        String name = settings.text(key, STATE_PACKAGE + PARTITION + "$" + PERSISTENCE_ID_BASED);
        Matcher known = KNOWN.matcher(name);
        if (!known.matches()) {
            return own(settings, key, name);
        }
        return switch (known.group(2) + "." + known.group(3)) {
            case PARTITION + "." + PERSISTENCE_ID_BASED, PARTITION + ".Default" ->
                new PersistenceIdBased(shards, separator);
            default -> throw unknownOfState(key, name);
        };
    }

    /** Of states: the id itself. */
    static KeyResolver stateSort(LayoutSettings settings) {
        String key = "sort-key-resolver-class-name";
        checkProvider(settings, "sort-key-resolver-provider-class-name");
        String name = settings.text(key, STATE_PACKAGE + SORT + "$" + PERSISTENCE_ID_BASED);
        Matcher known = KNOWN.matcher(name);
        if (!known.matches()) {
            return own(settings, key, name);
        }
        return switch (known.group(2) + "." + known.group(3)) {
            case SORT + "." + PERSISTENCE_ID_BASED, SORT + ".Default" -> (persistenceId, none) -> persistenceId;
            default -> throw unknownOfState(key, name);
        };
    }

    private static IllegalArgumentException unknownOfState(String key, String name) {
        return new IllegalArgumentException("Setting " + key + " names " + name + "; of j5ik2o's resolvers only "
                + PERSISTENCE_ID_BASED + " has keys for states, which have no number");
    }

    /** A provider of the user's own would make keys that we cannot know, so it is not passed over in silence. */
    private static void checkProvider(LayoutSettings settings, String key) {
        if (settings.has(key) && !PROVIDER.matcher(settings.required(key)).matches()) {
            throw new IllegalArgumentException("Setting " + key + " names " + settings.required(key)
                    + ", which makes resolvers of j5ik2o's type. Name a class that implements "
                    + KeyResolver.class.getName() + " in the setting " + key.replace("-provider", "")
                    + " instead, and leave this one out.");
        }
    }

    private static KeyResolver own(LayoutSettings settings, String key, String name) {
        Class<?> found = load(key, name);
        if (!KeyResolver.class.isAssignableFrom(found)) {
            throw new IllegalArgumentException("Setting " + key + " names " + name + ", which does not implement "
                    + KeyResolver.class.getName()
                    + ". A class written for j5ik2o's own resolver types must implement this interface instead: its one"
                    + " method takes the id and the number and gives the key as text.");
        }
        Object source = settings.source();
        try {
            for (Constructor<?> constructor : found.getConstructors()) {
                Class<?>[] wants = constructor.getParameterTypes();
                if (wants.length == 1 && wants[0].isInstance(source)) {
                    return (KeyResolver) constructor.newInstance(source);
                }
            }
            return (KeyResolver) found.getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException("The constructor of " + name + " (setting " + key + ") failed", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "Class " + name + " (setting " + key + ") has no public constructor without arguments"
                            + (source == null ? "" : ", nor one with the plugin's Config"),
                    e);
        }
    }

    private static Class<?> load(String key, String name) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = context == null ? J5Resolvers.class.getClassLoader() : context;
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "Setting " + key + " names the class " + name + ", which is not on the class path", e);
        }
    }

    private static IllegalArgumentException unknown(String key, String name, String one, String two) {
        return new IllegalArgumentException("Setting " + key + " names " + name + "; of j5ik2o's resolvers only " + one
                + " and " + two + " have keys for events and snapshots");
    }

    static boolean has(String persistenceId, String separator) {
        return persistenceId.contains(separator);
    }

    /** The predecessor looks for the separator as a text and then splits by it as a regular expression: so do we. */
    static String part(String persistenceId, String separator, int index) {
        String[] parts = Pattern.compile(separator).split(persistenceId, 0);
        if (index >= parts.length) {
            throw new StoreException.Refused(
                    "The id " + persistenceId + " has no part " + (index + 1) + " when it is split at \"" + separator
                            + "\", so j5ik2o's resolvers have no key for it (they fail as well). Use another id, "
                            + SEQUENCE_NUMBER_BASED + " with " + SEQ_NR + ", or a resolver of your own.",
                    null);
        }
        return parts[index];
    }

    private static String padded(long number, int digits) {
        String text = Long.toString(number);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    private static byte[] md5(String text) {
        try {
            return MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }
}
