package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.j5ik2o.KeyResolver;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Creates the predecessor's four resolvers by their class names, and a user's own by its class. Digits are ASCII in every
 * locale.
 *
 * <p>Names are accepted with {@code $} or a dot before the nested class, in all three packages and in those of the fork for
 * Pekko, because the predecessor's documentation uses all of these. {@code Default} has the meaning it had up to 1.11.
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
    private static final int SEQ_NR_DIGITS = 19;

    private J5Resolvers() {}

    /** {@code id-(seqNr mod shards)}: no two persistence ids share a partition. */
    record SequenceNumberBased(int shards) implements KeyResolver {
        @Override
        public String key(String persistenceId, long seqNr) {
            return shard(persistenceId, seqNr % shards);
        }

        String shard(String persistenceId, long shard) {
            return persistenceId + "-" + Long.toString(shard);
        }
    }

    /** {@code prefix-shard}: one partition for all rows of a persistence id, shared with others. */
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

    /** The sequence number without leading zeros: such rows are not sorted by sequence number. */
    record SeqNr() implements KeyResolver {
        @Override
        public String key(String persistenceId, long seqNr) {
            return Long.toString(seqNr);
        }
    }

    /** {@code body-seqNr} with leading zeros. The body is the second part of the persistence id. */
    record PersistenceIdWithSeqNr(String separator) implements KeyResolver {
        @Override
        public String key(String persistenceId, long seqNr) {
            String digits = padded(seqNr, SEQ_NR_DIGITS);
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

    /** For durable states, which have no sequence number. */
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

    /** For durable states: the persistence id. */
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
                + PERSISTENCE_ID_BASED + " can be used for durable states, which have no sequence number");
    }

    /** A user's own provider creates resolvers that we cannot use, so it must not be ignored. */
    private static void checkProvider(LayoutSettings settings, String key) {
        if (settings.has(key) && !PROVIDER.matcher(settings.required(key)).matches()) {
            throw new IllegalArgumentException("Setting " + key + " names " + settings.required(key)
                    + ", which creates resolvers of j5ik2o's types. Remove this setting, and set "
                    + key.replace("-provider", "") + " to a class that implements " + KeyResolver.class.getName()
                    + ".");
        }
    }

    private static KeyResolver own(LayoutSettings settings, String key, String name) {
        try {
            Class<?> found = load(key, name);
            if (KeyResolver.class.isAssignableFrom(found)) {
                return (KeyResolver) created(settings, key, found);
            }
            Optional<Method> resolve = J5TraitResolver.resolveMethod(found);
            if (resolve.isPresent()) {
                return J5TraitResolver.of(created(settings, key, found), resolve.get());
            }
        } catch (LinkageError e) {
            throw new IllegalArgumentException(
                    "Setting " + key + " names " + name + ", which needs a type that is not on the class path: "
                            + e.getMessage() + ". If it was written for j5ik2o's own resolver types, let it implement "
                            + KeyResolver.class.getName()
                            + " instead, or keep the jar with these types (akka-persistence-dynamodb-journal-base, or"
                            + " -snapshot-base) on the class path.",
                    e);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    "The types of the method resolve of " + name + " (setting " + key + ") are not j5ik2o's", e);
        }
        throw new IllegalArgumentException("Setting " + key + " names " + name + ", which does not implement "
                + KeyResolver.class.getName()
                + ": its one method takes the persistence id and the sequence number and returns the key. A class written"
                + " for j5ik2o's own resolver types works too.");
    }

    private static Object created(LayoutSettings settings, String key, Class<?> type) {
        Object source = settings.source();
        try {
            for (Constructor<?> constructor : type.getConstructors()) {
                Class<?>[] wants = constructor.getParameterTypes();
                if (wants.length == 1 && wants[0].isInstance(source)) {
                    return constructor.newInstance(source);
                }
            }
            return type.getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "The constructor of " + type.getName() + " (setting " + key + ") failed", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "Class " + type.getName() + " (setting " + key + ") has no public constructor without arguments"
                            + (source == null ? "" : ", nor one with the plugin's Config")
                            + ". A constructor with j5ik2o's plugin context cannot be called: the context exists only in"
                            + " j5ik2o's plugin.",
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
                + " and " + two + " can be used for events and snapshots");
    }

    static boolean has(String persistenceId, String separator) {
        return persistenceId.contains(separator);
    }

    /** Splits by the separator as a regular expression, as the predecessor does, although it searches for it as text. */
    static String part(String persistenceId, String separator, int index) {
        String[] parts = Pattern.compile(separator).split(persistenceId, 0);
        if (index >= parts.length) {
            throw new StoreException.Refused(
                    "The persistence id " + persistenceId + " has no part " + (index + 1) + " when it is split at \""
                            + separator
                            + "\", so j5ik2o's resolvers have no key for it (its plugin fails too). Use another"
                            + " persistence id, " + SEQUENCE_NUMBER_BASED + " with " + SEQ_NR
                            + ", or your own resolver. Nothing was stored.",
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
