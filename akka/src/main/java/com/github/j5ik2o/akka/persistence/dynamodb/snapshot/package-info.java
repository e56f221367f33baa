/** Class names of a predecessor, for configurations that name them. */
@NullMarked
package com.github.j5ik2o.akka.persistence.dynamodb.snapshot;

import org.jspecify.annotations.NullMarked;
