@NullMarked
package io.dynajournal.bench.soak;

import org.jspecify.annotations.NullMarked;
