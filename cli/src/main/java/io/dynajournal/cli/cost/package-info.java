/** What a workload costs on each layout: units counted on the simulated DynamoDB by the layouts' own code, and prices from a file. */
@NullMarked
package io.dynajournal.cli.cost;

import org.jspecify.annotations.NullMarked;
