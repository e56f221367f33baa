/** IAM policies with no more than a role needs. */
@NullMarked
package io.dynajournal.cli.policy;

import org.jspecify.annotations.NullMarked;
