/** Tests without a server. */
@NullMarked
package io.dynajournal.cli.source;

import org.jspecify.annotations.NullMarked;
