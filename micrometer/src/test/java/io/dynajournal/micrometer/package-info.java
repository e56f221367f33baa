@NullMarked
package io.dynajournal.micrometer;

import org.jspecify.annotations.NullMarked;
