// Sorts the words of a `go test` command into flags of the build, flags of the test programs, and packages.

import type { DetectedCommand } from './command.ts';
import { parseShellLine, shellQuoteIfNeeded } from './shellWords.ts';

/** The words of a command, by their purpose. */
export interface GoTestWords {
  /** Flags of the build, as written. */
  readonly build: readonly string[];
  /** Flags of the test programs, in the form that these programs take, such as `-test.short` for `-short`. */
  readonly test: readonly string[];
  readonly packages: readonly string[];
  /** Arguments after `-args`. */
  readonly args: readonly string[];
  /** Variables that are assigned before the command. */
  readonly env: Readonly<Record<string, string>>;
}

const splitNames = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** Flags of the build without a value, from `go help build`. */
const BUILD_SWITCHES = splitNames('a race msan asan trimpath linkshared modcacherw buildvcs work x');
/** Flags of the build with a value, from `go help build`. */
const BUILD_VALUES = splitNames(
  'tags mod modfile ldflags gcflags asmflags gccgoflags compiler buildmode p pkgdir toolexec installsuffix pgo C',
);
/** Flags of the test programs without a value, from `go help testflag`. */
const TEST_SWITCHES = splitNames('short benchmem fullpath failfast');
/** Flags of the test programs with a value, from `go help testflag`. */
const TEST_VALUES = splitNames('run skip timeout parallel cpu count shuffle fuzztime fuzzminimizetime list');
/** Flags without a value that are left out, such as those for output and coverage. */
const IGNORED_SWITCHES = splitNames('v json cover n i c');
/** Flags with a value that are left out, such as those for output, coverage, profiles and benchmarks. */
const IGNORED_VALUES = new Set([
  ...splitNames(
    'vet coverprofile covermode coverpkg bench benchtime cpuprofile memprofile memprofilerate blockprofile',
  ),
  ...splitNames('blockprofilerate mutexprofile mutexprofilefraction trace outputdir o exec fuzz'),
]);

/**
 * The command with further flags of `go test`. They come before `-args`, because all words after it go to the test
 * programs.
 */
export function addGoWords(command: DetectedCommand, additionalWords: readonly string[]): DetectedCommand {
  const line = command.shell ? (command.command[0] ?? '') : command.command.map(shellQuoteIfNeeded).join(' ');
  const start = /\bgo test(?=\s)/.exec(line);
  const argumentsStart = start ? start.index + start[0].length : line.length;
  if (/\s--?args\b/.test(line.slice(argumentsStart)))
    return {
      ...command,
      command: [
        `${line.slice(0, argumentsStart)} ${additionalWords.map(shellQuoteIfNeeded).join(' ')}${line.slice(argumentsStart)}`,
      ],
      shell: true,
    };
  const { words = [], depth = 0 } = command.args ?? {};
  return { ...command, args: { words: [...words, ...additionalWords], depth } };
}

/** The sorted words; null if the command is not a plain `go test`, or has an unknown flag. */
export function parseGoTestWords(command: DetectedCommand): GoTestWords | null {
  const line = command.shell ? (command.command[0] ?? '') : command.command.map(shellQuoteIfNeeded).join(' ');
  const [onlyCommand, ...otherCommands] = parseShellLine(line) ?? [];
  if (!onlyCommand || otherCommands.length > 0 || onlyCommand.environment.some((text) => /['"]/.test(text)))
    return null;
  const env = Object.fromEntries(
    onlyCommand.environment.map((text) => [text.replace(/=.*$/s, ''), text.replace(/^.*?=/s, '')]),
  );
  const words = [...onlyCommand.words.map(({ value }) => value), ...(command.args?.words ?? [])];
  if (words[0] !== 'go' || words[1] !== 'test') return null;
  const build: string[] = [];
  const test: string[] = [];
  const packages: string[] = [];
  for (let index = 2; index < words.length; index += 1) {
    const word = words[index]!;
    if (word === '-args' || word === '--args') return { build, test, packages, env, args: words.slice(index + 1) };
    if (!word.startsWith('-')) {
      packages.push(word);
      continue;
    }
    const [, name = '', flagValue] = /^--?([\w.]+)(?:=(.*))?$/s.exec(word) ?? [];
    const isValued = [BUILD_VALUES, TEST_VALUES, IGNORED_VALUES].some((set) => set.has(name));
    if (![BUILD_SWITCHES, TEST_SWITCHES, IGNORED_SWITCHES].some((set) => set.has(name)) && !isValued) return null;
    const value = flagValue ?? (isValued ? words[(index += 1)] : undefined);
    const flag = (prefix: string) => `-${prefix}${name}${value === undefined ? '' : `=${value}`}`;
    if (BUILD_SWITCHES.has(name) || BUILD_VALUES.has(name)) build.push(flag(''));
    else if (TEST_SWITCHES.has(name) || TEST_VALUES.has(name)) test.push(flag('test.'));
  }
  return { build, test, packages, env, args: [] };
}

/** The packages of these files, in the form that `go test` takes. */
export function collectPackages(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => (file.includes('/') ? `./${file.replace(/\/[^/]*$/, '')}` : '.')))];
}
