@NullMarked
package io.dynajournal.testkit.history;

import org.jspecify.annotations.NullMarked;
