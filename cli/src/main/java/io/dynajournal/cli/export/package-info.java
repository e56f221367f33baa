/** Events as lines of JSON: written from a journal, and read as if they were one. */
@NullMarked
package io.dynajournal.cli.export;

import org.jspecify.annotations.NullMarked;
