// Follows the script calls at the end of a command line to the command that starts the test runner.

import { joinCommands } from './expandScript.ts';
import { parseShellLine, type ShellCommand } from './shellWords.ts';

/** Matches a line that ends with a formatter, such as `tape test/*.js | tap-spec`. */
const PIPED_PATTERN = /^([^|]+)\|\s*([\w@./-]+)\s*$/;
/** Matches the programs that run scripts. */
export const MANAGER_PATTERN = /^(?:npm|pnpm|yarn|bun)$/;

/** The last command of a line, and the commands before it. */
interface FollowedScripts {
  readonly before: readonly string[];
  readonly lastCommand: ShellCommand;
  readonly depth: number;
  /** True if another program formats what the runner writes. */
  readonly isPiped: boolean;
}

/**
 * Follows `npm run x` at the end of a line to the command that starts the runner. `depth`: number of scripts followed
 * so far. Null if a line is not plain, or if the calls are too deep.
 */
export function followScripts(
  line: string,
  scripts: Readonly<Record<string, string>>,
  depth: number,
): FollowedScripts | null {
  const [, lineBeforePipe = line, formatter] = PIPED_PATTERN.exec(line) ?? [];
  const isPiped = formatter !== undefined;
  const commands = parseShellLine(lineBeforePipe);
  const lastCommand = commands?.at(-1);
  if (!commands || !lastCommand || depth > 5) return null;
  const before = commands.slice(0, -1).map((command) => joinCommands([command]));
  const [manager, ...otherWords] = lastCommand.words.map(({ value }) => value);
  if (manager === undefined || !MANAGER_PATTERN.test(manager) || lastCommand.environment.length > 0)
    return { before, lastCommand, depth, isPiped };
  const name = otherWords[0] === 'run' || otherWords[0] === 'run-script' ? otherWords[1] : otherWords[0];
  const nameEnd = otherWords[0] === 'run' || otherWords[0] === 'run-script' ? 2 : 1;
  const text = name === undefined ? undefined : scripts[name];
  // `yarn jest` runs a program, and arguments after the name of the script would be meant for the runner.
  if (text === undefined || otherWords.length > nameEnd || (manager === 'bun' && nameEnd === 1))
    return { before, lastCommand, depth, isPiped };
  const inner = followScripts(text, scripts, depth + 1);
  return inner && { ...inner, before: [...before, ...inner.before], isPiped: isPiped || inner.isPiped };
}
