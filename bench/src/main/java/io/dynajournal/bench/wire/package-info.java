/** The proxy that records requests, the calculation of their cost, and the simulated servers. */
@NullMarked
package io.dynajournal.bench.wire;

import org.jspecify.annotations.NullMarked;
