@NullMarked
package io.dynajournal.cli.copy;

import org.jspecify.annotations.NullMarked;
