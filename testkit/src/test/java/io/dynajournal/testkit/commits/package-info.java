/** The rules of the native layout, each shown by the schedule that breaks it and by random schedules against a model. */
@NullMarked
package io.dynajournal.testkit.commits;

import org.jspecify.annotations.NullMarked;
