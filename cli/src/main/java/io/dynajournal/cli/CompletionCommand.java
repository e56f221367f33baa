package io.dynajournal.cli;

import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What a shell needs to complete command lines. */
@Command(
        name = "completion",
        description = "Prints a script with which a shell completes commands and options.",
        footer = {
            "",
            "examples:",
            "  dynajournal completion bash > /etc/bash_completion.d/dynajournal",
            "  source <(dynajournal completion bash)",
            "  source <(dynajournal completion zsh)"
        })
final class CompletionCommand implements Callable<Integer> {

    /** A shell that can complete. */
    enum Shell {
        bash,
        zsh
    }

    @Parameters(paramLabel = "<shell>", description = "bash or zsh.")
    private Shell shell = Shell.bash;

    private final Console console;

    CompletionCommand(Console console) {
        this.console = console;
    }

    /** One script for both: in zsh it loads the emulation of bash's completion first. */
    @Override
    public Integer call() {
        if (shell == Shell.zsh) {
            console.out().print("autoload -Uz compinit && compinit -u\n");
        }
        console.out().print(AutoComplete.bash("dynajournal", CommandRun.commands(console)));
        return ExitCode.OK;
    }
}
