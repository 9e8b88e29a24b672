// Replaces the reporters that a script sets for node:test. Reporters in NODE_OPTIONS would be added to them, and Node
// refuses reporters of which only some have a destination.

import type { Word } from './shellWords.ts';
import { createWordSet } from '../../../util/wordSet.ts';

/** Options of Node whose value is the next word. */
export const NODE_OPTIONS_WITH_VALUE: ReadonlySet<string> = createWordSet(`
  -r --require --import --loader --experimental-loader --test-name-pattern --test-reporter
  --test-reporter-destination --test-concurrency --test-timeout --conditions -C --env-file
`);
const REPORTER_PATTERN = /^--test-reporter(?:-destination)?(?:=|$)/;

/** The options with which node:test also writes a report to this path. */
export function createReporterOptions(path: string): readonly string[] {
  return [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=junit',
    `--test-reporter-destination=${path}`,
  ];
}

/** True if a text names a reporter of node:test. */
export function namesReporter(text: string): boolean {
  return text.includes('--test-reporter');
}

/** The words without options that choose reporters and their destinations. */
export function removeReporters(words: readonly Word[]): readonly Word[] {
  return words.filter(({ value }, index) => {
    const previousWord = words[index - 1]?.value ?? '';
    const isValueOfReporter = REPORTER_PATTERN.test(previousWord) && !previousWord.includes('=');
    return !REPORTER_PATTERN.test(value) && !isValueOfReporter;
  });
}
