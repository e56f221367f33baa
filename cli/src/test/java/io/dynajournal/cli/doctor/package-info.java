@NullMarked
package io.dynajournal.cli.doctor;

import org.jspecify.annotations.NullMarked;
