// What the pages of searches say if nothing was found.

import { expect, test } from 'vitest';
import type { CounterexampleReport, UnguardedReport } from '../../../server/src/core/session/analyse/analysisTypes.ts';
import { createPart } from '../../helpers/createPart.ts';
import { renderCallsPage, renderMistakesPage } from '../../../server/src/lsp/searchPages.ts';

const calls: CounterexampleReport = {
  finds: [],
  files: 1,
  known: 0,
  functions: 4,
  inputs: 3440,
  leftOut: [],
  undone: 0,
};
const mistakes: UnguardedReport = {
  found: [],
  files: 1,
  known: 0,
  mutants: 0,
  survivors: 0,
  tried: [],
  functions: 0,
  leftOut: [],
  undone: 0,
};
const bodyOf = ({ markdown }: { readonly markdown: string }) => markdown.split('\n').slice(2).join('\n').trim();

test('calls that broke nothing are said to have broken nothing', () => {
  expect(bodyOf(renderCallsPage(calls, '/r'))).toBe('4 functions called 3,440 times. No call broke any of them.');
  expect(bodyOf(renderCallsPage({ ...calls, functions: 0, inputs: 0 }, '/r'))).toBe('0 functions called 0 times.');
});

test('a search that had not enough time says so on its page', () => {
  const unfinished = 'The time was not enough for everything. Run the search again to continue.';
  expect(bodyOf(renderCallsPage({ ...calls, undone: 1 }, '/r'))).toContain(unfinished);
  expect(bodyOf(renderMistakesPage({ ...mistakes, undone: 1 }, '/r'))).toContain(unfinished);
});

test.each([
  [0, 0, 'No small mistake was tried, so this says nothing about the tests.'],
  [12, 0, '12 small mistakes tried; the tests noticed all of them.'],
  [
    12,
    2,
    '12 small mistakes tried; no test noticed 2 of them. No call was found that returns something else ' +
      'because of one of them, so none is listed.',
  ],
])('%i mistakes of which %i were missed, none of them shown by a call', (mutants, survivors, said) => {
  expect(bodyOf(renderMistakesPage({ ...mistakes, mutants, survivors }, '/r'))).toBe(said);
});

test('advice about slow tests is on the page if nothing was tried, or not everything', () => {
  const advice = 'Set the runner itself.';
  expect(bodyOf(renderMistakesPage({ ...mistakes, advice }, '/r'))).toContain(advice);
  expect(bodyOf(renderMistakesPage({ ...mistakes, mutants: 9, undone: 1, advice }, '/r'))).toContain(advice);
  expect(bodyOf(renderMistakesPage({ ...mistakes, mutants: 9, advice }, '/r'))).not.toContain(advice);
});

test('a missed mistake, its call and the results are written as code', () => {
  const mistake = {
    line: 3,
    shown: 'a * b → a_b',
    place: '',
    call: 'join("*x*")',
    now: 'returns "_"',
    then: 'throws TypeError: x',
  };
  const found: UnguardedReport['found'] = [
    {
      path: 'a.ts',
      name: 'join',
      exportedAs: 'join',
      range: { startLine: 1, startColumn: 1, endLine: 5, endColumn: 1 },
      nameRange: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 5 },
      calls: [],
      runner: null,
      mistakes: [mistake],
      test: { refused: 'No test shows how.' },
    },
  ];
  const page = bodyOf(renderMistakesPage({ ...mistakes, mutants: 1, survivors: 1, found }, '/r'));
  expect(page).toContain('- line 3, `a * b → a_b`: `join("*x*")` then throws `TypeError: x`; now it returns `"_"`');
  expect(page).toContain('No test was written: No test shows how.');
});

test('a call that breaks what a comment states is listed with the sentence', () => {
  const range = { startLine: 1, startColumn: 1, endLine: 2, endColumn: 1 };
  const find = createPart<CounterexampleReport['finds'][number]>({
    ...{ path: 'a.ts', name: 'half', nameRange: range, call: 'half([])', test: { refused: 'none' } },
    ...{ observed: 'It throws.', expected: 'It should not.', precondition: 'The list must not be empty.' },
  });
  const page = bodyOf(renderCallsPage({ ...calls, finds: [find] }, '/r'));
  expect(page).toContain('Its comment says “The list must not be empty.”, so the call may be wrong.');
});
