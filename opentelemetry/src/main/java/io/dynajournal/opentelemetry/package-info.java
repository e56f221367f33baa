/** Metrics and spans for OpenTelemetry. */
@NullMarked
package io.dynajournal.opentelemetry;

import org.jspecify.annotations.NullMarked;
