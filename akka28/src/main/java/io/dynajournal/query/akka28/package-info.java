/** The query interfaces of Akka 2.8 and later. With this jar on the class path, every read journal implements them. */
@NullMarked
package io.dynajournal.query.akka28;

import org.jspecify.annotations.NullMarked;
