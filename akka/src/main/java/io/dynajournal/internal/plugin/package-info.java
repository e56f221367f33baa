/** The start of the plugins of an actor system: clients, settings blocks, tables, and the opened stores. */
@NullMarked
package io.dynajournal.internal.plugin;

import org.jspecify.annotations.NullMarked;
