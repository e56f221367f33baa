/** What an application sees of Dynajournal in code: its own client, tables, and the plugins' shared resources. */
@NullMarked
package io.dynajournal;

import org.jspecify.annotations.NullMarked;
