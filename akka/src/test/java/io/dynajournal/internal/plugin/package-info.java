@NullMarked
package io.dynajournal.internal.plugin;

import org.jspecify.annotations.NullMarked;
