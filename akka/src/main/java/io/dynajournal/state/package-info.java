/** The durable state store plugin. Its stores for users are in {@code javadsl} and {@code scaladsl}. */
@NullMarked
package io.dynajournal.state;

import org.jspecify.annotations.NullMarked;
