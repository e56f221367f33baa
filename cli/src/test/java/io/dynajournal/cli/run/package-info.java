/** Tests without a server. */
@NullMarked
package io.dynajournal.cli.run;

import org.jspecify.annotations.NullMarked;
