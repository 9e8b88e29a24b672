// Expands a package script to the programs that it runs, including the scripts that it calls in sequence.

import { matchesStarPattern } from '../../../util/stars.ts';
import { createWordSet } from '../../../util/wordSet.ts';
import type { DetectedProject } from './project.ts';
import { parseShellLine, type ShellCommand } from './shellWords.ts';

/** Maximum depth of scripts that call each other. Deeper ones are not expanded. */
const MAX_DEPTH = 5;
const PACKAGE_MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Words after `pnpm` or `yarn` that are their own commands; any other word is a program. */
const OWN_WORDS: ReadonlySet<string> = createWordSet(`
  add audit bin build cache config create dedupe deploy dlx exec fetch i import info init install link list ls node
  outdated pack patch prune publish rebuild remove rm root run set start store t test unlink up update upgrade version
  why workspace workspaces
`);
/** Options of npm-run-all and similar tools that do not change which scripts run. */
const ORDER_OPTIONS: ReadonlySet<string> = new Set([
  '-s',
  '--serial',
  '--sequential',
  '-p',
  '--parallel',
  '-l',
  '--print-label',
  '-n',
  '--print-name',
]);
/** Matches programs that run several scripts. */
const MULTI_SCRIPT_PATTERN = /^(?:run-s|run-p|npm-run-all2?)$/;

/**
 * The programs in order: parallel scripts one after the other, and `pre` and `post` scripts around each script. Null if
 * a line is not a plain sequence of commands, or if the calls are deeper than `MAX_DEPTH`, as in a cycle. A call with
 * further arguments or an environment stays a call.
 */
export function flattenScript(
  project: Pick<DetectedProject, 'manifest'>,
  name: string,
  depth = 0,
): readonly ShellCommand[] | null {
  const scripts = project.manifest?.scripts ?? {};
  if (depth > MAX_DEPTH) return null;
  const commands: ShellCommand[] = [];
  for (const text of [scripts[`pre${name}`], scripts[name], scripts[`post${name}`]]) {
    const line = text === undefined ? [] : parseShellLine(text);
    if (!line) return null;
    for (const command of line) {
      const called = command.environment.length > 0 ? null : findCalledScripts(command, scripts, name);
      const inner = called?.map((scriptName) => flattenScript(project, scriptName, depth + 1));
      if (inner?.includes(null)) return null;
      commands.push(...(inner?.flatMap((innerCommands) => innerCommands ?? []) ?? [removeManager(command, scripts)]));
    }
  }
  return commands;
}

/** The script with the scripts that it calls, as one line; as it is if it cannot be expanded. */
export function expandToLine(project: Pick<DetectedProject, 'manifest'>, name: string): string {
  const commands = flattenScript(project, name);
  return commands === null ? (project.manifest?.scripts[name] ?? '') : joinCommands(commands);
}

/**
 * The command without its package manager. For example, `pnpm vitest run` and `npx vitest run` start a program of the
 * repository, which needs no package manager.
 */
function removeManager(command: ShellCommand, scripts: Readonly<Record<string, string>>): ShellCommand {
  const [first = '', second = ''] = command.words.map(({ value }) => value);
  const isShort = (first === 'pnpm' || first === 'yarn') && !OWN_WORDS.has(second) && scripts[second] === undefined;
  const start = first === 'npx' || isShort ? 1 : second === 'exec' && PACKAGE_MANAGERS.has(first) ? 2 : 0;
  const words = command.words.slice(start);
  return start > 0 && words[0] && !words[0].value.startsWith('-') ? { ...command, words } : command;
}

/** Joins the commands to one line for the shell. `launcher`: the words that start each program, such as `yarn exec`. */
export function joinCommands(commands: readonly ShellCommand[], launcher: readonly string[] = []): string {
  return commands
    .map(({ environment, words }) => [...environment, ...launcher, ...words.map(({ text }) => text)].join(' '))
    .join(' && ');
}

/** The names of the scripts that the command calls; null if it calls none, or does more than that. */
function findCalledScripts(
  { words }: ShellCommand,
  scripts: Readonly<Record<string, string>>,
  caller: string,
): readonly string[] | null {
  const [first = '', ...otherWords] = words.map(({ value }) => value);
  if (MULTI_SCRIPT_PATTERN.test(first)) return expandPattern(otherWords, scripts);
  if (!PACKAGE_MANAGERS.has(first)) return null;
  const isRunCommand = otherWords[0] === 'run' || otherWords[0] === 'run-script';
  const [name, nextWord] = isRunCommand ? otherWords.slice(1) : otherWords;
  // `bun test` is a test runner, and `npm ci` is not a script. These are the only commands of npm that run a script
  // without `run`.
  if (
    name === undefined ||
    nextWord !== undefined ||
    (!isRunCommand && (first === 'bun' || (first === 'npm' && !/^(?:t|test|tst|start)$/.test(name))))
  )
    return null;
  const pattern = first === 'pnpm' && isRunCommand ? /^\/(.+)\/$/.exec(name)?.[1] : undefined;
  if (pattern !== undefined) return findMatchingScripts(pattern, scripts, caller);
  const script = !isRunCommand && first === 'npm' && name !== 'start' ? 'test' : name;
  return scripts[script] === undefined ? null : [script];
}

/**
 * The names of the scripts that match these patterns; null if a word is not a plain pattern, or if a pattern matches
 * none.
 */
function expandPattern(words: readonly string[], scripts: Readonly<Record<string, string>>): readonly string[] | null {
  const patterns = words.filter((word) => !ORDER_OPTIONS.has(word));
  if (patterns.some((pattern) => !/^[\w:*.-]+$/.test(pattern))) return null;
  const scriptNames = patterns.map((pattern) => {
    // `*` does not match a colon, just as `*` in a path does not match a slash.
    const namePattern = new RegExp(
      `^${pattern
        .split('**')
        .map((part) => part.replace(/[.*]/g, (character) => (character === '*' ? '[^:]*' : '\\.')))
        .join('.*')}$`,
    );
    return Object.keys(scripts).filter((name) => namePattern.test(name));
  });
  return scriptNames.some(({ length }) => length === 0) ? null : [...new Set(scriptNames.flat())];
}

/**
 * The names of the scripts that match a pattern between slashes, without the caller, as pnpm runs them. Only `.*` is
 * supported in patterns.
 */
function findMatchingScripts(
  pattern: string,
  scripts: Readonly<Record<string, string>>,
  caller: string,
): readonly string[] | null {
  const [, start = '', middle = '', end = ''] = /^(\^?)([\w:.*/@-]*?)(\$?)$/.exec(pattern) ?? [];
  const plain = middle.replaceAll('.*', '*');
  // Any other pattern would be a regular expression from the repository, which could run forever.
  if (!/^(?:[\w:/@-]|\*(?!\*))+$/.test(plain) || /(?<!\.)\*/.test(middle)) return null;
  const stars = `${start === '' ? '*' : ''}${plain}${end === '' ? '*' : ''}`;
  const names = Object.keys(scripts).filter((name) => name !== caller && matchesStarPattern(stars, name));
  return names.length === 0 ? null : names;
}
