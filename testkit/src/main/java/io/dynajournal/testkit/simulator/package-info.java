/** DynamoDB in the JVM, in virtual or in real time, with faults that a seed or a script decides. */
@NullMarked
package io.dynajournal.testkit.simulator;

import org.jspecify.annotations.NullMarked;
