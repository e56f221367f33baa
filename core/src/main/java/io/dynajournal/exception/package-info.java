/** The exceptions that users of Dynajournal see. */
@NullMarked
package io.dynajournal.exception;

import org.jspecify.annotations.NullMarked;
