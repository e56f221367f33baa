/**
 * A program that drives persistent actors by commands on its standard input. It is compiled for each toolkit and runs with
 * a predecessor's plugin or with ours: it knows neither, only the class path and the configuration tell them apart.
 */
@NullMarked
package io.dynajournal.peers;

import org.jspecify.annotations.NullMarked;
