/** Serialization of durable states and their columns, between the plugin's public stores and the core. */
@NullMarked
package io.dynajournal.internal.state;

import org.jspecify.annotations.NullMarked;
