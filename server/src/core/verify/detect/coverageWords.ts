// Recognises the words of a test command that measure coverage.

import { createWordSet } from '../../../util/wordSet.ts';
import type { Word } from './shellWords.ts';

/** Programs that measure the coverage of the program after them. */
const COVERAGE_PROGRAMS = createWordSet('c8 nyc');
/** Options of these programs whose value is the next word. */
const OPTIONS_WITH_VALUE = createWordSet(`
  -r --reporter -x --exclude -n --include -e --extension -o --report-dir --reports-dir --temp-directory --temp-dir --src
  --cwd --lines --functions --branches --statements -i --require
`);
/** Options that do more than measure coverage, so the tests may need them. */
const NEEDED_OPTIONS = createWordSet('-i --require --cwd --node-arg');
/** Matches the coverage options of Vitest and Jest. */
const RUNNER_OPTION_PATTERN = /^--(?:coverage|collectCoverage)(?=$|[.=])/;

/** True for the value of an option of `c8` or `nyc`, such as `text` in `c8 -r text mocha`. */
export function isValueOfCoverageOption(words: readonly Word[], index: number): boolean {
  const program = findProgramIndex(words);
  return program >= 0 && index > program + 1 && OPTIONS_WITH_VALUE.has(words[index - 1]!.value);
}

/**
 * The words without `c8` or `nyc` and its options; null if neither program is called, or if the tests may need one of
 * the options.
 */
export function removeCoverageProgram(args: readonly Word[]): readonly Word[] | null {
  const program = findProgramIndex(args);
  if (program < 0) return null;
  let end = program + 1;
  while (end < args.length && (args[end]!.value.startsWith('-') || isValueOfCoverageOption(args, end))) end += 1;
  const options = args.slice(program + 1, end).map(({ value }) => value.split('=')[0]!);
  return options.some((option) => NEEDED_OPTIONS.has(option)) ? null : [...args.slice(0, program), ...args.slice(end)];
}

/** The words without the coverage options of Vitest and Jest; null if there are none. */
export function removeCoverageOptions(words: readonly Word[]): readonly Word[] | null {
  const remaining = words.filter(({ value }) => !RUNNER_OPTION_PATTERN.test(value));
  return remaining.length === words.length ? null : remaining;
}

function findProgramIndex(words: readonly Word[]): number {
  return words.findIndex(({ value }) => COVERAGE_PROGRAMS.has(value.replace(/^.*\//, '').replace(/\.[cm]?js$/, '')));
}
