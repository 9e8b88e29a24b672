// Names the programs that a command line starts, without the options and files that vary from change to change.

/** Programs that run their first argument as a program. */
const LAUNCHER_PROGRAMS: ReadonlySet<string> = new Set(['npx', 'bunx', 'env', 'time', 'nice', 'xvfb-run']);
/** Programs whose first argument is a subcommand or the name of a script. */
const PACKAGE_MANAGERS: ReadonlySet<string> = new Set(
  'npm pnpm yarn bun uv poetry pipenv hatch pdm rye bundle composer corepack'.split(' '),
);
/** First arguments of package managers after which a program or the name of a script follows. */
const RUN_SUBCOMMANDS: ReadonlySet<string> = new Set(['run', 'run-script', 'exec', 'dlx', 'x', 'npm', 'pnpm', 'yarn']);
/** Programs whose first argument is a subcommand, which distinguishes testing from running any code. */
const PROGRAMS_WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(['cargo', 'go', 'deno', 'dotnet', 'git']);
/** Options that the name of a package or folder follows. */
const LOCATION_OPTIONS: ReadonlySet<string> = new Set([
  '-w',
  '-C',
  '--workspace',
  '--prefix',
  '--filter',
  '--dir',
  '--cwd',
]);
/** Matches a shell, with or without its folder. */
const SHELL_PATTERN = /^(?:.*\/)?(?:ba|da|z|k)?sh$/;
/** Matches an interpreter, with or without its folder. */
const INTERPRETER_PATTERN = /^(?:.*\/)?(?:node|python[\d.]*|pypy[\d.]*|ruby|perl|php|tsx|ts-node)$/;
/** Options of interpreters that load code before the script. */
const PRELOAD_OPTIONS: ReadonlySet<string> = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
]);
/** Options of interpreters whose next word is the code to run. */
const CODE_OPTIONS: ReadonlySet<string> = new Set(['-c', '-e', '-p', '--eval', '--print']);

/**
 * The programs of a command line, each with its subcommand or script: `CI=1 npm run lint && node --test test/a.test.js`
 * → `npm run lint`, `node --test`.
 */
export function parsePrograms(line: string): readonly string[] {
  return line
    .split(/&&|\|\||[;|\n]|(?<!>)&(?!\d)/)
    .map((part) => findProgram(part.split(/\s+/).filter((word) => word !== '')))
    .filter((program) => program !== '');
}

/** The program that these words start, with the script or subcommand that it runs; empty if all words set variables. */
function findProgram(args: readonly string[]): string {
  const programIndex = args.findIndex((word) => !/^\w+=/.test(word));
  if (programIndex < 0) return '';
  const program = args[programIndex]!;
  const remainingWords = args.slice(programIndex + 1);
  if (LAUNCHER_PROGRAMS.has(program)) return joinWords(program, findProgram(skipOptions(remainingWords)));
  if (PACKAGE_MANAGERS.has(program)) return findProgramOfManager(program, skipOptions(remainingWords));
  if (SHELL_PATTERN.test(program)) return findProgramInShell(program, remainingWords);
  if (INTERPRETER_PATTERN.test(program)) return joinWords(program, findProgramOfInterpreter(remainingWords));
  if (PROGRAMS_WITH_SUBCOMMANDS.has(program)) return joinWords(program, skipOptions(remainingWords)[0] ?? '');
  return program;
}

/** The package manager with its subcommand, and with the script or program that the subcommand runs. */
function findProgramOfManager(manager: string, [word = '', ...otherWords]: readonly string[]): string {
  return joinWords(manager, RUN_SUBCOMMANDS.has(word) ? joinWords(word, findProgram(skipOptions(otherWords))) : word);
}

/** The shell with its script, or with the first program of the code after `-c`. */
function findProgramInShell(shell: string, shellWords: readonly string[]): string {
  const index = shellWords.findIndex((word) => /^-\w*c$/.test(word));
  if (index < 0) return joinWords(shell, shellWords.find((word) => !word.startsWith('-')) ?? '');
  const code = shellWords.slice(index + 1).map((word) => word.replaceAll(/^["']|["']$/g, ''));
  return joinWords(`${shell} -c`, findProgram(code));
}

/**
 * The words that say which code an interpreter runs: a module, a script, a text, or tests. They include the options
 * that load code before it.
 */
function findProgramOfInterpreter(args: readonly string[]): string {
  const shownWords: string[] = [];
  for (const [index, word] of args.entries()) {
    const value = args[index + 1] ?? '';
    if (word === '-m') return [...shownWords, word, value].join(' ');
    if (CODE_OPTIONS.has(word)) return [...shownWords, ...args.slice(index)].join(' ');
    if (word === '--test') return [...shownWords, word].join(' ');
    if (PRELOAD_OPTIONS.has(word)) shownWords.push(word);
    else if (PRELOAD_OPTIONS.has(word.split('=')[0]!)) shownWords.push(word);
    else if (PRELOAD_OPTIONS.has(args[index - 1] ?? '')) shownWords.push(word);
    else if (!word.startsWith('-')) return [...shownWords, word].join(' ');
  }
  return shownWords.join(' ');
}

/** The words from the first that is neither an option nor the value of an option in `LOCATION_OPTIONS`. */
function skipOptions(args: readonly string[]): readonly string[] {
  const firstIndex = args.findIndex(
    (word, index) => !word.startsWith('-') && !LOCATION_OPTIONS.has(args[index - 1] ?? ''),
  );
  return firstIndex < 0 ? [] : args.slice(firstIndex);
}

function joinWords(program: string, otherWords: string): string {
  return otherWords === '' ? program : `${program} ${otherWords}`;
}
