@NullMarked
package io.dynajournal.cli.cost;

import org.jspecify.annotations.NullMarked;
