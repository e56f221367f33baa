/** Work that takes long: progress, a capacity limit, a clean stop, and a checkpoint. */
@NullMarked
package io.dynajournal.cli.run;

import org.jspecify.annotations.NullMarked;
