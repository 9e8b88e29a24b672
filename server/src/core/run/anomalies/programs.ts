// Names the programs that a command line starts, without the options and files that vary from change to change.

/** Programs that start the next word as a program. */
const LAUNCHERS: ReadonlySet<string> = new Set(['npx', 'bunx', 'env', 'time', 'nice', 'xvfb-run']);
/** Programs whose first argument is a subcommand or the name of a script. */
const MANAGERS: ReadonlySet<string> = new Set(
  'npm pnpm yarn bun uv poetry pipenv hatch pdm rye bundle composer corepack'.split(' '),
);
/** First arguments of `MANAGERS` that a program or the name of a script follows. */
const STARTS_NEXT: ReadonlySet<string> = new Set(['run', 'run-script', 'exec', 'dlx', 'x', 'npm', 'pnpm', 'yarn']);
/** Programs whose first argument is a subcommand, which distinguishes testing from running any code. */
const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(['cargo', 'go', 'deno', 'dotnet', 'git']);
/** Options whose next word is a package or folder. */
const TAKES_PLACE: ReadonlySet<string> = new Set(['-w', '-C', '--workspace', '--prefix', '--filter', '--dir', '--cwd']);
const SHELL = /^(?:.*\/)?(?:ba|da|z|k)?sh$/;
const INTERPRETER = /^(?:.*\/)?(?:node|python[\d.]*|pypy[\d.]*|ruby|perl|php|tsx|ts-node)$/;
/** Options of interpreters that run code before the script. */
const PRELOADS: ReadonlySet<string> = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader']);
/** Options of interpreters whose next word is the code to run. */
const TAKES_CODE: ReadonlySet<string> = new Set(['-c', '-e', '-p', '--eval', '--print']);

/**
 * The programs of a command line: `CI=1 npm run lint && node --test test/a.test.js` → `npm run lint`, `node --test`.
 */
export function programsOf(line: string): readonly string[] {
  return line
    .split(/&&|\|\||[;|\n]|(?<!>)&(?!\d)/)
    .map((part) => programOf(part.split(/\s+/).filter((word) => word !== '')))
    .filter((program) => program !== '');
}

/** The program that these words start, with the script or subcommand that it runs; empty if all words set variables. */
function programOf(words: readonly string[]): string {
  const first = words.findIndex((word) => !/^\w+=/.test(word));
  if (first < 0) return '';
  const program = words[first]!;
  const rest = words.slice(first + 1);
  if (LAUNCHERS.has(program)) return joined(program, programOf(withoutOptions(rest)));
  if (MANAGERS.has(program)) return managed(program, withoutOptions(rest));
  if (SHELL.test(program)) return inShell(program, rest);
  if (INTERPRETER.test(program)) return joined(program, interpreted(rest));
  if (WITH_SUBCOMMANDS.has(program)) return joined(program, withoutOptions(rest)[0] ?? '');
  return program;
}

function managed(manager: string, [word = '', ...rest]: readonly string[]): string {
  return joined(manager, STARTS_NEXT.has(word) ? joined(word, programOf(withoutOptions(rest))) : word);
}

function inShell(shell: string, rest: readonly string[]): string {
  const at = rest.findIndex((word) => /^-\w*c$/.test(word));
  if (at < 0) return joined(shell, rest.find((word) => !word.startsWith('-')) ?? '');
  const code = rest.slice(at + 1).map((word) => word.replaceAll(/^["']|["']$/g, ''));
  return joined(`${shell} -c`, programOf(code));
}

/** What an interpreter runs: a module, a script, a text, or tests; with the options that run code before it. */
function interpreted(words: readonly string[]): string {
  const kept: string[] = [];
  for (const [at, word] of words.entries()) {
    const value = words[at + 1] ?? '';
    if (word === '-m') return [...kept, word, value].join(' ');
    if (TAKES_CODE.has(word)) return [...kept, ...words.slice(at)].join(' ');
    if (word === '--test') return [...kept, word].join(' ');
    if (PRELOADS.has(word)) kept.push(word);
    else if (PRELOADS.has(word.split('=')[0]!)) kept.push(word);
    else if (PRELOADS.has(words[at - 1] ?? '')) kept.push(word);
    else if (!word.startsWith('-')) return [...kept, word].join(' ');
  }
  return kept.join(' ');
}

/** The words from the first that is neither an option nor the value of an option in `TAKES_PLACE`. */
function withoutOptions(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word, at) => !word.startsWith('-') && !TAKES_PLACE.has(words[at - 1] ?? ''));
  return first < 0 ? [] : words.slice(first);
}

function joined(program: string, rest: string): string {
  return rest === '' ? program : `${program} ${rest}`;
}
