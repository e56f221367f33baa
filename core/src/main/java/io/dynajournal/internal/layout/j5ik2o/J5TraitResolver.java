package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.exception.StoreException;
import io.dynajournal.j5ik2o.KeyResolver;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;

/**
 * A user's resolver that was written for the predecessor's own Scala trait, called by reflection: {@code resolve(PersistenceId,
 * SequenceNumber)} returns a key with {@code asString}. Works while the predecessor's types are on the class path.
 */
record J5TraitResolver(Object resolver, Method resolve, Constructor<?> persistenceId, Constructor<?> sequenceNumber)
        implements KeyResolver {

    /** Empty if the class has no such method. */
    static Optional<Method> resolveMethod(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals("resolve") && !method.isBridge())
                .filter(method -> method.getParameterCount() == 2)
                .filter(method -> method.getParameterTypes()[0].getSimpleName().equals("PersistenceId"))
                .findFirst();
    }

    static J5TraitResolver of(Object resolver, Method resolve) throws NoSuchMethodException {
        return new J5TraitResolver(
                resolver,
                resolve,
                resolve.getParameterTypes()[0].getConstructor(String.class),
                resolve.getParameterTypes()[1].getConstructor(long.class));
    }

    @Override
    public String key(String id, long seqNr) {
        try {
            Object key = resolve.invoke(resolver, persistenceId.newInstance(id), sequenceNumber.newInstance(seqNr));
            return (String) key.getClass().getMethod("asString").invoke(key);
        } catch (InvocationTargetException e) {
            throw failed(id, seqNr, e.getTargetException());
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw failed(id, seqNr, e);
        }
    }

    private StoreException.Refused failed(String id, long seqNr, Throwable cause) {
        return new StoreException.Refused(
                "The key resolver " + resolver.getClass().getName() + " returned no key for sequence number " + seqNr
                        + " of " + id + ": " + cause + ". Nothing was stored.",
                cause);
    }
}
