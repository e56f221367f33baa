@NullMarked
package io.dynajournal.opentelemetry;

import org.jspecify.annotations.NullMarked;
