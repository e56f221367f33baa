package io.dynajournal.cli;

import io.dynajournal.cli.run.LongRun;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output.OutputClosed;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.store.Stages;
import java.io.PrintWriter;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs one command line: finds the command, and turns failures into a message and an exit code. */
final class CommandRun {

    private static final int HELP_COLUMNS = 100;

    private CommandRun() {}

    static int run(Console console, String... words) {
        CommandLine commands = commands(console);
        return commands.execute(CommandFirst.ordered(commands.getCommandSpec(), words));
    }

    /** All commands, for their execution or for the description of their options. */
    static CommandLine commands(Console console) {
        CommandLine.IFactory defaults = CommandLine.defaultFactory();
        CommandLine commands = new CommandLine(DynajournalCommand.class, new CommandLine.IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                    if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == Console.class) {
                        constructor.setAccessible(true);
                        return type.cast(constructor.newInstance(console));
                    }
                }
                return defaults.create(type);
            }
        });
        addHelp(commands);
        String version = CommandRun.class.getPackage().getImplementationVersion();
        commands.getCommandSpec()
                .version("dynajournal " + (version == null ? "from its sources" : version))
                .addOption(OptionSpec.builder("--version")
                        .versionHelp(true)
                        .description("Print the version.")
                        .build());
        return commands.setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(HELP_COLUMNS)
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        console.terminal().out() && console.terminal().colours() ? Ansi.ON : Ansi.OFF))
                .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, args) -> wrongUsage(console, e.getCommandLine(), message(e)))
                .setExecutionExceptionHandler((e, command, result) -> failed(console, command, e));
    }

    private static void addHelp(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        spec.usageMessage()
                .synopsisHeading("usage: ")
                .optionListHeading("%noptions:%n")
                .parameterListHeading("%n")
                .sortOptions(false)
                .abbreviateSynopsis(true);
        spec.addOption(OptionSpec.builder("--help")
                .usageHelp(true)
                .description("Print this text.")
                .build());
        command.getSubcommands().values().forEach(CommandRun::addHelp);
    }

    private static int wrongUsage(Console console, CommandLine command, String message) {
        console.say("dynajournal: " + message);
        String name = command.getCommandSpec().qualifiedName();
        console.say(command.getUsageMessage(Ansi.OFF)
                .lines()
                .takeWhile(line -> !line.isEmpty())
                .filter(line -> line.startsWith("usage:") || line.startsWith(" "))
                .collect(Collectors.joining("\n")));
        console.say("Run " + name + " --help for its options and examples.");
        return ExitCode.USAGE;
    }

    private static int failed(Console console, CommandLine command, Exception failure) {
        Throwable cause = Stages.unwrap(failure);
        if (cause instanceof UsageException) {
            return wrongUsage(console, command, String.valueOf(cause.getMessage()));
        }
        if (cause instanceof LongRun.Stopped) {
            return ExitCode.STOPPED;
        }
        if (!(cause instanceof OutputClosed)) {
            console.say("dynajournal: " + (cause.getMessage() == null ? cause : cause.getMessage()));
        }
        return ExitCode.FAILED;
    }

    private static String message(ParameterException e) {
        ArgSpec argument = argument(e);
        String name = argument instanceof OptionSpec option
                ? option.longestName()
                : argument == null ? "" : argument.paramLabel();
        if (e instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched);
        }
        if (e.getCause() instanceof TypeConversionException conversion) {
            return name + " " + conversion.getMessage();
        }
        if (e instanceof OverwrittenOptionException) {
            return name + " is given twice";
        }
        if (e instanceof MissingParameterException && argument instanceof OptionSpec option) {
            return name + (option.required() ? " is missing" : " requires a value");
        }
        return String.valueOf(e.getMessage());
    }

    private static @Nullable ArgSpec argument(ParameterException e) {
        if (e instanceof OverwrittenOptionException twice) {
            return twice.getOverwritten();
        }
        return e instanceof MissingParameterException missing
                        && !missing.getMissing().isEmpty()
                ? missing.getMissing().get(0)
                : e.getArgSpec();
    }

    private static String unmatched(UnmatchedArgumentException e) {
        String first = e.getUnmatched().get(0);
        CommandLine command = e.getCommandLine();
        if (e.isUnknownOption()) {
            return "unknown option " + first;
        }
        return command.getSubcommands().isEmpty()
                ? command.getCommandName() + " requires no argument, and has " + first
                : "unknown command " + first;
    }
}
