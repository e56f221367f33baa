/** The command {@code dynajournal}: reads tables of every layout. Standard output holds results and nothing else. */
@NullMarked
package io.dynajournal.cli;

import org.jspecify.annotations.NullMarked;
