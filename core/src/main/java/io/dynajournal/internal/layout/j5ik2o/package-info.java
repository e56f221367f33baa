/** Tables of j5ik2o's akka-persistence-dynamodb up to 1.16: a row per event or snapshot, under keys that resolvers return. */
@NullMarked
package io.dynajournal.internal.layout.j5ik2o;

import org.jspecify.annotations.NullMarked;
