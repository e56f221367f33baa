@NullMarked
package io.dynajournal.testkit.simulator;

import org.jspecify.annotations.NullMarked;
