/**
 * A program that drives persistent actors by commands on its standard input. It is compiled for each toolkit and runs with
 * a predecessor's plugin or with Dynajournal: it depends on neither; class path and configuration select one.
 */
@NullMarked
package io.dynajournal.peers;

import org.jspecify.annotations.NullMarked;
