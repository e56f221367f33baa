package io.dynajournal.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Lets the options of a command stand before its name too: {@code --layout akka2 events cart-1}. */
final class CommandFirst {

    private final CommandSpec root;
    private final List<String> path = new ArrayList<>();
    private final List<String> rest = new ArrayList<>();

    private CommandFirst(CommandSpec root) {
        this.root = root;
    }

    /** The words, those that name the command first. */
    static String[] ordered(CommandSpec root, String... words) {
        return new CommandFirst(root).order(List.of(words));
    }

    private String[] order(List<String> words) {
        CommandSpec command = root;
        int i = 0;
        while (i < words.size() && !command.subcommands().isEmpty()) {
            String word = words.get(i);
            CommandLine sub = command.subcommands().get(word);
            if (sub != null) {
                path.add(word);
                command = sub.getCommandSpec();
                i++;
            } else if (word.startsWith("--") && word.length() > 2) {
                int end = takesValue(root, word) && i + 1 < words.size() ? i + 2 : i + 1;
                rest.addAll(words.subList(i, end));
                i = end;
            } else {
                // No command: first, so that the message is about it.
                path.addAll(words.subList(i, i + 1));
                i++;
                break;
            }
        }
        rest.addAll(words.subList(i, words.size()));
        path.addAll(rest);
        return path.toArray(String[]::new);
    }

    /** By the first command that has the option: an option means the same wherever it is. */
    private static boolean takesValue(CommandSpec command, String word) {
        OptionSpec option = command.findOption(word);
        if (option != null) {
            return option.arity().max() > 0;
        }
        for (Map.Entry<String, CommandLine> sub : command.subcommands().entrySet()) {
            if (takesValue(sub.getValue().getCommandSpec(), word)) {
                return true;
            }
        }
        return false;
    }
}
