// Finds the test runner at the end of a command, and derives commands that write a report or run only some files.

import { namesReporter, NODE_OPTIONS_WITH_VALUE, createReporterOptions, removeReporters } from './nodeReporters.ts';
import type { ReportFormat } from '../parse/testReport.ts';
import type { DetectedCommand } from './command.ts';
import { isValueOfCoverageOption } from './coverageWords.ts';
import { addGoWords, collectPackages } from './goTest.ts';
import { flattenScript, joinCommands } from './expandScript.ts';
import { hasMochaConfig, detectLauncher, type DetectedProject } from './project.ts';
import { selectUvuFiles, UVU_NAMES_OPTION, createUvuArguments } from './uvuNames.ts';
import { followScripts, MANAGER_PATTERN } from './followScripts.ts';
import { shellQuoteIfNeeded, type Word } from './shellWords.ts';
import { isFlagGiven, splitWords } from './splitWords.ts';

/** A test runner whose command lines are known. */
export type RunnerName =
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'ava'
  | 'tape'
  | 'tap'
  | 'uvu'
  | 'node'
  | 'pytest'
  | 'bun'
  | 'go';

/** A runner at the end of a command, and the commands that can be derived from it. */
export interface TestRunner {
  readonly name: RunnerName;
  /** The format of the report; null if the runner writes none, so that its output is parsed. */
  readonly format: ReportFormat | null;
  /** The command that runs all tests and, if possible, writes a report to `path`. */
  withReport(path: string): DetectedCommand;
  /**
   * The command that runs only these files and, if possible, writes a report to `path`; null if the command does not
   * allow this.
   */
  onFiles(files: readonly string[], path: string): DetectedCommand | null;
  /**
   * The same runner with an option to exit when its tests have ended, even if they left something open; null if it has
   * no such option.
   */
  readonly withExitOption: TestRunner | null;
}

/** The facts about a kind of runner. */
interface RunnerKind {
  readonly format: ReportFormat | null;
  /** Arguments with which the runner writes a report that names each test. */
  report(path: string): readonly string[];
  /** Options whose value is the next word. Any other word without a dash is a file name. */
  readonly optionsWithValue: ReadonlySet<string>;
  /** Subcommands of the program, such as `run` in `vitest run`. */
  readonly subcommands: ReadonlySet<string>;
  /** Options for a run of some files. The paths of the files follow. */
  readonly onFiles: readonly string[];
  /**
   * Options with which the runner exits when the tests have ended, even if they left something open; empty if it always
   * does so, or has no such option.
   */
  readonly exitOptions: readonly string[];
}

const NO_WORDS: ReadonlySet<string> = new Set();
const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const KIND_BY_RUNNER: Readonly<Record<Exclude<RunnerName, 'node'>, RunnerKind>> = {
  vitest: {
    format: 'jest',
    report: (path) => ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`],
    optionsWithValue: wordSet(
      '-c --config -r --root --dir --mode -t --testNamePattern --project --pool --environment --reporter --outputFile --maxWorkers --minWorkers --testTimeout --hookTimeout --bail --retry --exclude --shard --workspace',
    ),
    subcommands: wordSet('run'),
    onFiles: [],
    exitOptions: [],
  },
  jest: {
    format: 'jest',
    report: (path) => ['--json', `--outputFile=${path}`],
    optionsWithValue: wordSet(
      '-c --config --rootDir -t --testNamePattern --env --testEnvironment --maxWorkers -w --testTimeout --reporters --projects --selectProjects --setupFiles --coverageDirectory --shard --testRegex --testMatch --globals --outputFile',
    ),
    subcommands: NO_WORDS,
    onFiles: ['--runTestsByPath'],
    exitOptions: ['--forceExit'],
  },
  mocha: {
    format: 'mocha',
    report: (path) => ['--reporter', 'json', '--reporter-option', `output=${path}`],
    optionsWithValue: wordSet(
      '-r --require -R --reporter -O --reporter-option --reporter-options -u --ui -t --timeout -s --slow -g --grep -f --fgrep --config --package --opts --extension --ignore --exclude --file -j --jobs --retries --import --loader --experimental-loader -n --node-option --watch-files',
    ),
    subcommands: NO_WORDS,
    onFiles: [],
    exitOptions: ['--exit'],
  },
  ava: {
    format: null,
    report: () => ['--tap'],
    optionsWithValue: wordSet('-m --match -c --concurrency -t --timeout --config --node-arguments'),
    subcommands: NO_WORDS,
    onFiles: [],
    exitOptions: [],
  },
  // tape writes TAP by default; its summary is parsed as well.
  tape: {
    format: null,
    report: () => [],
    optionsWithValue: wordSet('-r --require -i --ignore --ignore-pattern'),
    subcommands: NO_WORDS,
    onFiles: [],
    exitOptions: [],
  },
  tap: {
    format: null,
    // The default report names only files.
    report: () => ['--reporter=tap'],
    optionsWithValue: wordSet('-R --reporter -j --jobs -t --timeout --before --after --node-arg --test-arg --plugin'),
    subcommands: wordSet('run'),
    onFiles: [],
    exitOptions: [],
  },
  uvu: {
    format: null,
    report: () => [],
    optionsWithValue: wordSet('-r --require -i --ignore -C --cwd'),
    subcommands: NO_WORDS,
    onFiles: ['--'],
    exitOptions: [],
  },
  pytest: {
    format: 'junit',
    // Only the older family of reports names the file of a test.
    report: (path) => ['-o', 'junit_family=xunit1', `--junitxml=${path}`],
    optionsWithValue: wordSet('-p -k -m -c -o -n --rootdir --maxfail --durations --junitxml --cov --cov-report'),
    subcommands: NO_WORDS,
    onFiles: [],
    exitOptions: [],
  },
  bun: {
    format: 'junit',
    report: (path) => ['--reporter=junit', `--reporter-outfile=${path}`],
    optionsWithValue: wordSet('-t --test-name-pattern --timeout --preload -r --bail --rerun-each'),
    subcommands: wordSet('test'),
    onFiles: [],
    exitOptions: [],
  },
  go: {
    format: null,
    // Without `-v`, go names no tests, and without `-count`, it may repeat a cached result.
    report: () => ['-v', '-count=1'],
    optionsWithValue: wordSet(
      '-tags -run -skip -timeout -parallel -cpu -count -p -mod -ldflags -gcflags -coverprofile -covermode -coverpkg -vet -shuffle -bench',
    ),
    subcommands: wordSet('test'),
    onFiles: [],
    exitOptions: [],
  },
};
/** Programs that start the program named by the next word. */
const WRAPPER_PROGRAMS = wordSet('npx cross-env dotenv c8 nyc env pnpm yarn bunx exec tsx kcd-scripts');
/** Matches a command that may run further scripts. */
const CALLS_SCRIPTS = /(?:^|\s)(?:npm|pnpm|yarn|bun|run-[sp]|npm-run-all2?|concurrently|wireit|turbo|nx)(?:\s|$)/;
/** Matches the program in `python -m pytest`. */
const PYTHON_PATTERN = /^python[\d.]*(?:\.exe)?$/;

/**
 * The runner of the command; null if it does not end with a known runner, or is too complex to be changed. The words
 * before the runner must be wrappers, options or assignments.
 */
export function detectRunner(
  detected: DetectedCommand,
  project: Pick<DetectedProject, 'manifest' | 'files'>,
): TestRunner | null {
  const scripts = project.manifest?.scripts ?? {};
  const line = detected.shell ? detected.command[0]! : detected.command.map(shellQuoteIfNeeded).join(' ');
  const resolved = followScripts(line, scripts, detected.script ? 1 : 0);
  if (!resolved) return null;
  const { before, lastCommand, depth, isPiped } = resolved;
  const runnerIndex = findRunnerIndex(lastCommand.words);
  const name = findRunnerAt(lastCommand.words, runnerIndex);
  // The report of tape needs no options, so it does not matter if another program formats it.
  if (name === null || (isPiped && name !== 'tape')) return null;
  const argumentWords = removeReporters(lastCommand.words.slice(runnerIndex + 1));
  const splitArguments = splitWords(
    argumentWords,
    name === 'node' ? NODE_OPTIONS_WITH_VALUE : KIND_BY_RUNNER[name].optionsWithValue,
    name === 'node' ? NO_WORDS : KIND_BY_RUNNER[name].subcommands,
  );
  const launcher = detectLauncher(project);
  const callsManager = MANAGER_PATTERN.test(lastCommand.words[0]?.value ?? '');
  const program = [
    ...lastCommand.environment,
    ...(callsManager ? [] : launcher),
    ...lastCommand.words.slice(0, runnerIndex + 1).map(({ text }) => text),
  ];
  const wordsBeforeFiles = [...program, ...splitArguments.options];
  const flatCommands = detected.script ? flattenScript(project, detected.script.name) : null;
  const preScript = detected.script ? scripts[`pre${detected.script.name}`] : undefined;
  // If the runner is the last command, the commands before it are spelled out, so that no package manager is needed.
  // Scripts after the tests do not run for a selection of tests.
  const isLast = flatCommands !== null && joinCommands(flatCommands.slice(-1)) === joinCommands([lastCommand]);
  const commandsBefore = isLast
    ? flatCommands.slice(0, -1).map((command) => joinCommands([command], launcher))
    : [...(preScript ? [`${detected.script!.manager} run pre${detected.script!.name}`] : []), ...before];
  /** Creates a command that also runs the commands before the runner, because they may build the tested code. */
  const createRebuiltCommand = (
    words: readonly string[],
    env?: DetectedCommand['env'],
    start = wordsBeforeFiles,
  ): DetectedCommand => ({
    source: detected.source,
    command: [[...commandsBefore, [...start, ...words].join(' ')].join(' && ')],
    shell: true,
    ...(env || detected.env ? { env: { ...detected.env, ...env } } : {}),
  });

  if (name === 'node') {
    if (program.some(namesReporter)) return null;
    const env = (path: string) => ({ NODE_OPTIONS: createReporterOptions(path).join(' ') });
    const usesReporterOptions =
      namesReporter(line) ||
      runsReporter(
        flatCommands?.map((command) => joinCommands([command])),
        scripts,
      );
    // Commands after the tests and the environment of the package manager belong to a run of all tests, so such a
    // command cannot be rebuilt.
    if (usesReporterOptions && detected.script && (flatCommands ? !isLast : `post${detected.script.name}` in scripts))
      return null;
    const createNodeCommand = (
      path: string,
      words: readonly string[],
      otherwise: () => DetectedCommand,
    ): DetectedCommand => ({
      ...(usesReporterOptions
        ? createRebuiltCommand([...createReporterOptions(path).map(shellQuoteIfNeeded), ...words], undefined, program)
        : otherwise()),
      report: { path, format: 'junit', isBegunEarly: true },
    });
    return {
      name,
      format: 'junit',
      withReport(path) {
        const words = argumentWords.map(({ text }) => text);
        return createNodeCommand(path, words, () => ({ ...detected, env: env(path) }));
      },
      onFiles(files, path) {
        const words = files.map(shellQuoteIfNeeded);
        return createNodeCommand(path, [...splitArguments.options, ...words], () =>
          createRebuiltCommand(words, env(path)),
        );
      },
      withExitOption: null,
    };
  }
  const kind = KIND_BY_RUNNER[name];
  const namesEnvironment = name === 'uvu' ? { NODE_OPTIONS: UVU_NAMES_OPTION } : undefined;
  const reportAt = (path: string): Pick<DetectedCommand, 'report'> =>
    kind.format === null ? {} : { report: { path, format: kind.format } };
  const reportWords = (path: string) =>
    kind.report(path).filter((word) => name !== 'go' || !isFlagGiven(word, lastCommand.words));
  const runsInOtherFolder =
    commandsBefore.some((command) => /(?:^|\s)(?:cd|pushd)\s/.test(command)) || isFlagGiven('-C', lastCommand.words);
  const withOptions = (additionalOptions: readonly string[]): Omit<TestRunner, 'withExitOption'> => ({
    name,
    format: kind.format,
    withReport(path) {
      if (name === 'go' && isFlagGiven('-args', lastCommand.words)) {
        const { script, ...plain } = detected;
        const start = script ? [...commandsBefore, joinCommands([lastCommand], launcher)].join(' && ') : line;
        return addGoWords({ ...plain, command: [start], shell: true }, [...reportWords(path), ...additionalOptions]);
      }
      return {
        ...detected,
        ...(detected.script ? {} : { command: [line], shell: true }),
        args: { words: [...reportWords(path), ...additionalOptions], depth },
        ...(namesEnvironment ? { env: { ...detected.env, ...namesEnvironment } } : {}),
        ...reportAt(path),
      };
    },
    onFiles(files, path) {
      // Mocha always runs the files that its own configuration lists. Go packages are relative to their module.
      if (name === 'mocha' && hasMochaConfig(project)) return null;
      if (name === 'go' && (detected.cwd !== undefined || isFlagGiven('-args', lastCommand.words) || runsInOtherFolder))
        return null;
      // Files for uvu are relative to the folder in which it runs.
      if (name === 'uvu' && (isFlagGiven('-C', lastCommand.words) || isFlagGiven('--cwd', lastCommand.words)))
        return null;
      const uvuFiles = name === 'uvu' ? selectUvuFiles(files, splitArguments.others) : [];
      if (name === 'uvu' && uvuFiles.length === 0) return null;
      const fileArguments =
        name === 'go' ? collectPackages(files) : name === 'uvu' ? createUvuArguments(uvuFiles) : files;
      const words = [...reportWords(path), ...additionalOptions, ...kind.onFiles, ...fileArguments].map(
        shellQuoteIfNeeded,
      );
      return { ...createRebuiltCommand(words, namesEnvironment), ...reportAt(path) };
    },
  });
  return {
    ...withOptions([]),
    withExitOption: kind.exitOptions.length > 0 ? { ...withOptions(kind.exitOptions), withExitOption: null } : null,
  };
}

/**
 * True if a command that runs has its own reporter, because NODE_OPTIONS would reach that command as well. `commands`:
 * all commands that run; undefined if they are unknown.
 */
function runsReporter(commands: readonly string[] | undefined, scripts: Readonly<Record<string, string>>): boolean {
  const isKnown = commands?.every((command) => !CALLS_SCRIPTS.test(command)) ?? false;
  return [...(commands ?? []), ...(isKnown ? [] : Object.values(scripts))].some(namesReporter);
}

/**
 * The index of the word that starts the runner; -1 if there is none, or if a word before it is not a wrapper, an option
 * or an assignment. `node` counts as a wrapper of a program in `node_modules`.
 */
function findRunnerIndex(words: readonly Word[]): number {
  const firstRunnerIndex = words.findIndex((_, index) => findRunnerAt(words, index) !== null);
  const isInstalled = /(?:^|[\\/])node_modules[\\/]/.test(words[firstRunnerIndex]?.value ?? '');
  const mayComeBefore = ({ value }: Word, index: number): boolean =>
    WRAPPER_PROGRAMS.has(basename(value)) ||
    PYTHON_PATTERN.test(basename(value)) ||
    value.startsWith('-') ||
    /^[A-Z_]\w*=/.test(value) ||
    isValueOfOption(words, index) ||
    (value === 'node' && isInstalled);
  return words.slice(0, Math.max(0, firstRunnerIndex)).every(mayComeBefore) ? firstRunnerIndex : -1;
}

/** The runner that the word at this index starts; null if it starts none. */
function findRunnerAt(words: readonly Word[], index: number): RunnerName | null {
  const word = words[index];
  if (!word || isValueOfOption(words, index)) return null;
  // kcd-scripts passes all further words on to Jest.
  if (word.value === 'test' && basename(words[index - 1]?.value ?? '') === 'kcd-scripts') return 'jest';
  return matchRunner(word.value, words[index + 1]?.value, words.slice(index + 1));
}

/**
 * True for the value of an option of a wrapper or of Node. For other programs, options such as `-r` and `-C` may mean
 * something else.
 */
function isValueOfOption(words: readonly Word[], index: number): boolean {
  const isOfNode = NODE_OPTIONS_WITH_VALUE.has(words[index - 1]?.value ?? '');
  return (
    isValueOfCoverageOption(words, index) ||
    (isOfNode && words.slice(0, index).some(({ value }) => /^(?:node|tsx)$/.test(basename(value))))
  );
}

/** The runner that a word starts, given the words after it; null if it starts none. */
function matchRunner(word: string, next: string | undefined, otherWords: readonly Word[]): RunnerName | null {
  const name = basename(word);
  if (name === 'vitest')
    return next === undefined || next === 'run' || next.startsWith('-') || /[./*]/.test(next) ? 'vitest' : null;
  if (name === 'jest' || name === 'ava' || name === 'tape' || name === 'tap' || name === 'uvu' || name === 'pytest')
    return name;
  if (name === 'mocha' || name === '_mocha') return 'mocha';
  if (name === 'bun' || name === 'go') return next === 'test' ? name : null;
  if (name !== 'node' && name !== 'tsx') return null;
  const { first, options } = splitWords(otherWords, NODE_OPTIONS_WITH_VALUE, NO_WORDS);
  const testOptionIndex = otherWords.findIndex(({ value }) => value === '--test');
  return options.includes('--test') && (first < 0 || testOptionIndex < first) ? 'node' : null;
}

function basename(word: string): string {
  return word.replace(/^.*\//, '').replace(/\.[cm]?js$/, '');
}
