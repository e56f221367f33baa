/** What an application uses in code: its own AWS client and listeners, tables, and columns of durable states. */
@NullMarked
package io.dynajournal;

import org.jspecify.annotations.NullMarked;
