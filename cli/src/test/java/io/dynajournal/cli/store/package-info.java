/** Tests without a server. */
@NullMarked
package io.dynajournal.cli.store;

import org.jspecify.annotations.NullMarked;
