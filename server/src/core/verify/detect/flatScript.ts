// A package script as the programs that it runs: the scripts that it calls in sequence are expanded.

import type { Project } from './project.ts';
import { parseShellLine, type ShellCommand } from './shellWords.ts';

/** Scripts that call each other deeper than this are not understood. */
const DEEPEST = 5;
const MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Of npm-run-all and its like: what changes nothing about which scripts are run. */
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
const FAN_OUT = /^(?:run-s|run-p|npm-run-all2?)$/;

/**
 * In order, what runs side by side one after the other, `pre` and `post` scripts around each. Null when a line is not
 * plain, or scripts call each other in a circle. A call with words of its own, or under a changed environment, stays a
 * call.
 */
export function flatScript(
  project: Pick<Project, 'manifest'>,
  name: string,
  depth = 0,
): readonly ShellCommand[] | null {
  const scripts = project.manifest?.scripts ?? {};
  if (depth > DEEPEST) return null;
  const commands: ShellCommand[] = [];
  for (const text of [scripts[`pre${name}`], scripts[name], scripts[`post${name}`]]) {
    const line = text === undefined ? [] : parseShellLine(text);
    if (!line) return null;
    for (const command of line) {
      const called = command.environment.length > 0 ? null : calledScripts(command, scripts, name);
      const inner = called?.map((one) => flatScript(project, one, depth + 1));
      if (inner?.includes(null)) return null;
      commands.push(...(inner?.flatMap((one) => one ?? []) ?? [command]));
    }
  }
  return commands;
}

/** As a line for the shell. */
export function lineOf(commands: readonly ShellCommand[]): string {
  return commands
    .map(({ environment, words }) => [...environment, ...words.map(({ text }) => text)].join(' '))
    .join(' && ');
}

/** Null: the command is no call of scripts, or of more than scripts. */
function calledScripts(
  { words }: ShellCommand,
  scripts: Readonly<Record<string, string>>,
  caller: string,
): readonly string[] | null {
  const [first = '', ...rest] = words.map(({ value }) => value);
  if (FAN_OUT.test(first)) return fannedOut(rest, scripts);
  if (!MANAGERS.has(first)) return null;
  const isRun = rest[0] === 'run' || rest[0] === 'run-script';
  const [name, more] = isRun ? rest.slice(1) : rest;
  // `bun test` is a runner, and `npm ci` no script; of npm's own words only these mean one.
  if (
    name === undefined ||
    more !== undefined ||
    (!isRun && (first === 'bun' || (first === 'npm' && !/^(?:t|test|tst|start)$/.test(name))))
  )
    return null;
  const pattern = first === 'pnpm' && isRun ? /^\/(.+)\/$/.exec(name)?.[1] : undefined;
  if (pattern !== undefined) return matching(pattern, scripts, caller);
  const script = !isRun && first === 'npm' && name !== 'start' ? 'test' : name;
  return scripts[script] === undefined ? null : [script];
}

function fannedOut(words: readonly string[], scripts: Readonly<Record<string, string>>): readonly string[] | null {
  const patterns = words.filter((word) => !ORDER_OPTIONS.has(word));
  if (patterns.some((pattern) => !/^[\w:*.-]+$/.test(pattern))) return null;
  const named = patterns.map((pattern) => {
    // `*` stops at a colon as a star in a path stops at a slash.
    const whole = new RegExp(
      `^${pattern
        .split('**')
        .map((part) => part.replace(/[.*]/g, (sign) => (sign === '*' ? '[^:]*' : '\\.')))
        .join('.*')}$`,
    );
    return Object.keys(scripts).filter((name) => whole.test(name));
  });
  return named.some(({ length }) => length === 0) ? null : [...new Set(named.flat())];
}

/** pnpm takes a pattern between slashes, and leaves out the script that asks. */
function matching(
  pattern: string,
  scripts: Readonly<Record<string, string>>,
  caller: string,
): readonly string[] | null {
  try {
    const expression = new RegExp(pattern);
    const names = Object.keys(scripts).filter((name) => name !== caller && expression.test(name));
    return names.length === 0 ? null : names;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
