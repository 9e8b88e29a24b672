// Our figures are those of ESLint's `complexity` and SonarJS' `cognitive-complexity`, on small texts and on a sample of
// real sources. All of them: `long/everySource.test.ts`, in the lane `long`.

import { expect, test } from 'vitest';
import { cases } from './cases.ts';
import { askPeers } from './peers.ts';
import { realSources } from './sources.ts';
import { compare, expectAlike, expectTopLevels, measured } from './tally.ts';

/** The sample is every sixteenth file. */
const STRIDE = 16;
const MIN_FUNCTIONS = 500;
const MIN_SCRIPTS = 10;

const sample = realSources().filter((_, at) => at % STRIDE === 0);

test('real sources: every function of a sample', { timeout: 600_000 }, () => {
  expectAlike(compare(sample), MIN_FUNCTIONS);
});

test('the top level of a file: what a function around all of it would have', () => {
  expectTopLevels(sample, MIN_SCRIPTS);
});

test('an accessor field is a field here; ESLint, which does not know the word, counts its value where the class stands', () => {
  const source = { path: 'case.ts', text: 'function f() { class A { accessor x = a ? 1 : 2; } }' };
  expect(measured(source).map(({ unit: { kind, cyclomatic } }) => ({ kind, cyclomatic }))).toEqual([
    { kind: 'fieldInitialiser', cyclomatic: 2 },
    { kind: 'function', cyclomatic: 1 },
    { kind: 'topLevel', cyclomatic: 1 },
  ]);
  expect(askPeers(source.path, source.text)?.cyclomatic.map(({ figure }) => figure)).toEqual([2]);
});

test.each(cases)('$path: $text', (source) => {
  const tally = compare([source]);
  expect({ ...tally, known: [...tally.known] }).toMatchObject({ refused: [], alone: [], wrong: [], known: [] });
  expect(tally.cyclomatic).toBeGreaterThan(0);
});
