/**
 * A program that puts a journal under load and reports times and CPU, for {@code bench/compare}. Like the program in the parent
 * package it does not depend on a plugin: class path and configuration select one.
 */
@NullMarked
package io.dynajournal.peers.load;

import org.jspecify.annotations.NullMarked;
