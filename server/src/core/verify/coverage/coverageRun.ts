// Plans how the tests of a repository run with coverage: with the tool of their runner, or otherwise with V8 itself.

import type { DetectedCommand } from '../detect/command.ts';
import { addGoWords } from '../detect/goTest.ts';
import type { RunnerName } from '../detect/testRunner.ts';

/** The format of the coverage report: a file of Istanbul, lcov or Go, or a folder of V8. */
export type CoverageFormat = 'istanbul' | 'lcov' | 'go' | 'v8';

/** A run of the tests that measures line coverage. */
export interface CoverageRun {
  readonly command: DetectedCommand;
  readonly format: CoverageFormat;
  /** Path of the report relative to the work tree: a file or, for V8, a folder. */
  readonly path: string;
  /** The name of the coverage tool, for people. */
  readonly toolName: string;
}

/** The folder for coverage reports. Tools of the repository do not search node_modules. */
const COVERAGE_FOLDER = 'node_modules/.selfware/coverage';
/** Programs that run code of other languages than JavaScript, so that V8 measures nothing. */
const NON_NODE_PROGRAMS: ReadonlySet<string> = new Set([
  'cargo',
  'go',
  'python',
  'python3',
  'ruby',
  'php',
  'java',
  'mvn',
  'gradle',
]);
/** Coverage providers of Vitest. The first one that is installed is used. */
const VITEST_PROVIDERS = ['v8', 'istanbul'] as const;

/** The test runner whose coverage is measured. */
export interface Runner {
  /** The command that runs all tests, with the arguments that make it write a test report. */
  readonly command: DetectedCommand;
  /** Null if unknown. */
  readonly name: RunnerName | null;
  /** Absolute path of the work tree. */
  readonly dir: string;
  exists(path: string): Promise<boolean>;
}

/** The run with coverage; otherwise, the reason why there is none and the next step, as a sentence. */
export async function planCoverageRun(runner: Runner): Promise<CoverageRun | { readonly refused: string }> {
  const { command, name, dir } = runner;
  const coverageFolder = `${dir}/${COVERAGE_FOLDER}`;
  if (name === 'vitest') return planVitestRun(runner);
  if (name === 'jest') {
    const words = [
      '--coverage',
      '--coverageReporters=json',
      `--coverageDirectory=${coverageFolder}`,
      '--coverageThreshold={}',
    ];
    return {
      ...addOptions(command, words),
      format: 'istanbul',
      path: `${COVERAGE_FOLDER}/coverage-final.json`,
      toolName: 'Jest',
    };
  }
  if (name === 'pytest') {
    const words = ['--cov=.', `--cov-report=lcov:${coverageFolder}/lcov.info`, '--cov-fail-under=0'];
    return {
      ...addOptions(command, words),
      format: 'lcov',
      path: `${COVERAGE_FOLDER}/lcov.info`,
      toolName: 'coverage.py',
    };
  }
  if (name === 'go') {
    // Without `-coverpkg`, only tests of its own package count for a line. `-race` allows only the mode `atomic`.
    const words = [`-coverprofile=${coverageFolder}/cover.out`, '-covermode=atomic', '-coverpkg=./...'];
    return { command: addGoWords(command, words), format: 'go', path: `${COVERAGE_FOLDER}/cover.out`, toolName: 'Go' };
  }
  if (name === 'bun') return { refused: 'Coverage of Bun is not measured.' };
  const firstWord = command.command[0] ?? '';
  const [program = ''] = firstWord.split(' ');
  if (NON_NODE_PROGRAMS.has(program))
    return { refused: `Coverage of \`${program}\` is not measured: let it write \`coverage/lcov.info\` instead.` };
  const env = { ...command.env, NODE_V8_COVERAGE: coverageFolder };
  return { command: { ...command, env }, format: 'v8', path: COVERAGE_FOLDER, toolName: 'V8' };
}

async function planVitestRun({ command, dir, exists }: Runner): Promise<CoverageRun | { readonly refused: string }> {
  for (const provider of VITEST_PROVIDERS) {
    if (!(await exists(`node_modules/@vitest/coverage-${provider}/package.json`))) continue;
    const words = [
      '--coverage.enabled=true',
      `--coverage.provider=${provider}`,
      '--coverage.reporter=json',
      '--coverage.reportOnFailure=true',
      `--coverage.reportsDirectory=${dir}/${COVERAGE_FOLDER}`,
    ];
    const tool = `Vitest (${provider})`;
    return {
      ...addOptions(command, words),
      format: 'istanbul',
      path: `${COVERAGE_FOLDER}/coverage-final.json`,
      toolName: tool,
    };
  }
  return {
    refused:
      'Vitest needs `@vitest/coverage-v8` of its own version to count lines, and it is not installed: add it to the development dependencies.',
  };
}

/** The command with further arguments for the runner at its end. */
function addOptions(command: DetectedCommand, additionalOptions: readonly string[]): Pick<CoverageRun, 'command'> {
  const { words = [], depth = 0 } = command.args ?? {};
  return { command: { ...command, args: { words: [...words, ...additionalOptions], depth } } };
}
