/** The query interfaces that Akka has since 2.8. With this jar on the class path, each read journal implements them. */
@NullMarked
package io.dynajournal.query.akka28;

import org.jspecify.annotations.NullMarked;
