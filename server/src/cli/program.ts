// Runs one command line. This file handles the errors of all commands: every failure prints a message to stderr and,
// unless a signal has ended the command, leads to exit code 2.

import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { setDefaultWidth, writeError, writeOut } from '../adapters/system/terminal.ts';
import { readProgramVersion } from '../app/programPaths.ts';
import { SelfwareError, describeError, convertFullDiskError } from '../util/typedError.ts';
import { tolerateClosedPipes, writesLog } from './closedPipes.ts';
import { COMMAND_GROUPS } from './commandGroups.ts';
import { handleInterruption } from './interruption.ts';
import { superviseCommand } from './commands/nights/supervise.ts';

/** Commands that do not exist but that people may try, with the name of the correct command. */
const SUGGESTIONS: ReadonlyMap<string, string> = new Map([
  ['apply', 'proposals approve ID'],
  ['approve', 'proposals approve ID'],
  ['reject', 'proposals reject ID'],
  ['review', 'proposals'],
  ['list', 'proposals'],
  ['opportunities', 'analyse'],
  ['rollback', 'checkpoints rollback ID'],
  ['undo', 'checkpoints rollback ID'],
]);

/** For each command that needs an id: the command that lists such ids. */
const LIST_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['proposals', 'proposals'],
  ['checkpoints', 'checkpoints list'],
  ['dismiss', 'analyse'],
  ['undismiss', 'dismiss --list'],
]);

/** A sentence that names the correct command; undefined if none is known. */
function composeHint({ code, message }: CommanderError, args: readonly string[]): string | undefined {
  const [firstArgument = ''] = args;
  if (code === 'commander.unknownCommand' && SUGGESTIONS.has(firstArgument))
    return `Perhaps you mean \`selfware ${SUGGESTIONS.get(firstArgument)}\`.`;
  if (code === 'commander.missingArgument' && LIST_COMMANDS.has(firstArgument))
    return `\`selfware ${LIST_COMMANDS.get(firstArgument)}\` lists them with their ids.`;
  if (code !== 'commander.unknownOption') return undefined;
  if (/'(?:--version|-V)'/.test(message)) return 'Perhaps you mean `selfware --version`.';
  return firstArgument.startsWith('-')
    ? `Options stand after the command: \`selfware analyse ${firstArgument}\`.`
    : undefined;
}

/**
 * Runs one command line. Returns the exit code: 0 done, 1 done with something to act on, 2 failed, 64 or 65 for a
 * supervisor (`WORKER_EXIT`), 128 + the number of the signal that has ended the command.
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  tolerateClosedPipes(writesLog(args));
  setDefaultWidth();
  const shutdown = handleInterruption();
  let code = 0;
  const program = new Command('selfware')
    .description(
      'Finds what could be better in a repository, proves each change in a sandbox, and applies it only with your approval and a way back.',
    )
    .version(readProgramVersion())
    // With this, `--version` after a subcommand is an option of that subcommand (`rules update`).
    .enablePositionalOptions()
    .showHelpAfterError('(selfware --help lists the commands)');
  program.configureHelp({ subcommandTerm });
  program.addHelpText('after', '\nBegin with `selfware preview`: it looks around and changes nothing.');
  const setGroup = (title = '') => program.commandsGroup(`${title}:`);
  setGroup(COMMAND_GROUPS[0]?.title).helpCommand('help [command]', 'explains a command and its options');
  for (const { title, commands } of COMMAND_GROUPS) {
    setGroup(title);
    for (const command of commands) program.addCommand(command((exitCode) => (code = exitCode)));
  }
  program.addCommand(
    superviseCommand((exitCode) => (code = exitCode)),
    { hidden: true },
  );
  replaceOutput(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return shutdown.exitCode ?? code;
  } catch (thrown) {
    const error = convertFullDiskError(thrown);
    if (error instanceof CommanderError) {
      const hint = composeHint(error, args);
      if (hint !== undefined) writeError(hint);
      return error.exitCode === 0 ? 0 : 2;
    }
    writeError(`selfware: ${describeError(error)}`);
    if (!(error instanceof SelfwareError) || process.env.SELFWARE_DEBUG)
      writeError(error instanceof Error ? inspect(error, { depth: 4 }) : String(error));
    return shutdown.exitCode ?? 2;
  }
}

/**
 * A subcommand in the list of the help: its name and its arguments. `[options]` is left out, because every subcommand
 * has options.
 */
function subcommandTerm(command: Command): string {
  return `${command.name()} ${command.usage().replace(/^\[options\] ?/, '')}`.trimEnd();
}

/**
 * Replaces the output and the exit of the parser, also of its subcommands. Invisible characters are escaped, because a
 * usage message repeats the typed text, which may contain any file name. Wrong usage then has the same exit code
 * everywhere.
 */
function replaceOutput(command: Command): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => writeOut(text.trimEnd()),
    writeErr: (text) => writeError(text.trimEnd()),
  });
  command.commands.forEach(replaceOutput);
}
