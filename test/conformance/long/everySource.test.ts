// The figures of every function of all real sources are those of ESLint and SonarJS. It takes most of a minute of
// processor time, so it runs in the lane `long`; a sample is compared with every change.

import { test } from 'vitest';
import { realSources } from '../sources.ts';
import { compare, expectAlike, expectTopLevels } from '../tally.ts';

const MIN_FUNCTIONS = 5_000;
const MIN_SCRIPTS = 200;

test('real sources: every function', { timeout: 600_000 }, () => {
  expectAlike(compare(realSources()), MIN_FUNCTIONS);
});

test('the top level of a file: what a function around all of it would have', { timeout: 600_000 }, () => {
  expectTopLevels(realSources(), MIN_SCRIPTS);
});
