/** Entities on whole actor systems, with the embedded server underneath. */
@NullMarked
package io.dynajournal;

import org.jspecify.annotations.NullMarked;
