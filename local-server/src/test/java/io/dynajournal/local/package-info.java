@NullMarked
package io.dynajournal.local;

import org.jspecify.annotations.NullMarked;
