// Tries mutants inside one run of pytest: `adapters/harness/python/selfware_guard.py` forks a process for each mutant
// after the tests were collected.

import type { DetectedCommand } from '../../detect/command.ts';
import type { TestCommands } from '../../testing/testRun.ts';
import { ORDER_VARIABLE } from '../inTests.ts';
import { readStatuses, REQUEST_PATH, RESULTS_PATH } from '../statusLines.ts';
import type { InProcessResult, MutantRun, TextOf } from '../mutantRuns.ts';
import type { Mutant } from '../planMutants.ts';
import { PYTHON_PATTERN } from './findMutants.ts';

const PLUGIN_NAME = 'selfware_guard';
/** Extra time for starting and collecting the tests, as a multiple of the time that the tests take. */
const GRACE_FACTOR = 2;
/** Further extra time, in milliseconds. */
const GRACE_MS = 20_000;
/** Matches the assignment of PYTHONPATH in a shell command line, with any quotes. */
const PYTHON_PATH_PATTERN = /(?<=^|\s)PYTHONPATH=(?:'[^']*'|"[^"]*"|[^\s'"])+/;

/**
 * Tries the mutants, and returns their statuses. A mutant without a status needs a separate run. There are no statuses
 * if Selfware's plugin did not run, for example on Windows.
 */
export async function tryInPytest(
  run: MutantRun,
  mutants: readonly Mutant[],
  textOf: TextOf,
  {
    command,
    commands,
    millis,
    baseMillis,
    python,
    chosenMutants,
  }: {
    readonly command: DetectedCommand;
    readonly commands: TestCommands;
    /** The folder with Selfware's plugin for pytest; null if there is none. */
    readonly python: string | null;
    /** Milliseconds for all mutants. */
    readonly millis: number;
    /** Milliseconds that the tests take without a mutant. */
    readonly baseMillis: number;
    /** The mutants to try, in this order. */
    readonly chosenMutants: readonly Mutant[];
  },
  signal: AbortSignal,
): Promise<InProcessResult> {
  const indexByMutant = new Map(mutants.map((mutant, index) => [mutant, index]));
  const candidates = chosenMutants.filter(({ path, reach }) => PYTHON_PATTERN.test(path) && reach !== undefined);
  if (python === null || candidates.length === 0) return { statuses: new Map(), runs: 0 };
  const { worktree, context } = run;
  const paths = [...new Set(candidates.map(({ path }) => path))];
  const request = {
    until: context.clock.now() + millis,
    results: `${worktree.dir}/${RESULTS_PATH}`,
    files: paths.map((path) => [`${worktree.dir}/${path}`, textOf(path)]),
    mutants: candidates.map((mutant) =>
      createOrder(mutant, indexByMutant.get(mutant)!, worktree.dir, textOf(mutant.path)),
    ),
  };
  try {
    await worktree.write([
      { path: REQUEST_PATH, before: null, after: JSON.stringify(request) },
      { path: RESULTS_PATH, before: null, after: '' },
    ]);
    const timeoutMs = millis + GRACE_FACTOR * baseMillis + GRACE_MS;
    const harnessCommand = addPlugin(command, python, `${worktree.dir}/${REQUEST_PATH}`);
    await run.rerun('mutant', { ...harnessCommand, timeoutMs }, commands.parse, signal);
    const bytes = await worktree.read(RESULTS_PATH);
    return { ...readStatuses(bytes ? new TextDecoder().decode(bytes) : '', mutants), runs: 1 };
  } finally {
    await worktree.write([
      { path: REQUEST_PATH, before: null, after: null },
      { path: RESULTS_PATH, before: null, after: null },
    ]);
  }
}

/**
 * An offset in code points, as Python counts. A character outside of the basic plane has two UTF-16 units in
 * JavaScript.
 */
export function toCharacterOffset(text: string, offset: number): number {
  return [...text.slice(0, offset)].length;
}

/** The order for one mutant, with offsets in code points. */
function createOrder(mutant: Mutant, number: number, folder: string, text: string): readonly (string | number)[] {
  const [first, last] = mutant.reach!;
  return [
    number,
    `${folder}/${mutant.path}`,
    toCharacterOffset(text, mutant.start),
    toCharacterOffset(text, mutant.end),
    mutant.text,
    first,
    last,
  ];
}

/**
 * The command that loads Selfware's plugin. The folder of the plugin comes last in PYTHONPATH, so that it hides no
 * other module.
 */
export function addPlugin(command: DetectedCommand, folder: string, requestPath: string): DetectedCommand {
  const setsPythonPath = command.shell && PYTHON_PATH_PATTERN.test(command.command[0] ?? '');
  const options = [command.env?.['PYTEST_ADDOPTS'], `-p ${PLUGIN_NAME}`].filter(Boolean).join(' ');
  const path = [command.env?.['PYTHONPATH'], folder].filter(Boolean).join(':');
  return {
    ...command,
    command: setsPythonPath
      ? command.command.map((line) =>
          line.replace(PYTHON_PATH_PATTERN, (word) => `${word}:'${folder.replaceAll("'", `'\\''`)}'`),
        )
      : command.command,
    env: {
      ...command.env,
      ...(setsPythonPath ? {} : { PYTHONPATH: path }),
      PYTEST_ADDOPTS: options,
      [ORDER_VARIABLE]: requestPath,
    },
  };
}
