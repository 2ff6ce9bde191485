/** The commands `completion` and `complete`: completion of commands, options and choices in a shell. */
import { script } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import type { Screen } from './screen.ts';

/** The library's script needs the package bash-completion, and cannot be sourced twice. */
const BASH = `# bash completion for workflow
__workflow_complete() {
    local cur=\${COMP_WORDS[COMP_CWORD]} word
    COMPREPLY=()
    while IFS=$'\\t' read -r word _; do
        [[ -n $word && $word != :* && $word == "$cur"* ]] && COMPREPLY+=("$word")
    done < <(workflow complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F __workflow_complete workflow`;

/** Adds completion for all commands of the program, so it comes after them. */
export function addCompletion(program: Command, screen: Screen): void {
  tab(program, { completionCommandName: 'completion' });
  const completion = program.commands.find((command) => command.name() === 'completion');
  completion?.action((shell: string) => {
    if (shell === 'bash') screen.line(BASH);
    else script(shell, 'workflow', 'workflow');
  });
}
