/** Finds what is wrong with a store, and repairs what is safe. */
@NullMarked
package io.dynajournal.cli.doctor;

import org.jspecify.annotations.NullMarked;
