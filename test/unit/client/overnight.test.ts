// The questions of "Run Overnight…", what is said before the start, and when a person is told of the end.

import { describe, expect, test } from 'vitest';
import type { NightSummary } from '#protocol/nights';
import { createWishItem } from '../../../client/src/nights/wishText.ts';
import { listNightEntries } from '../../../client/src/nights/nightEntries.ts';
import { formatAcceptance } from '../../../client/src/nights/acceptanceText.ts';
import { findEndSentence, findNeedSentence } from '../../../client/src/nights/nightText.ts';
import {
  createEndOffers,
  createLimitOffers,
  mayCost,
  createMoneyOffers,
  parseAmount,
  createProposerOffers,
  formatPlanSummary,
  parseEnd,
} from '../../../client/src/nights/overnight.ts';
import { createPartOffers, createScopeOffers, WHOLE_SCOPE } from '../../../client/src/nights/overnightScope.ts';
import { describeProposer, findMissingPart, completeName } from '../../../client/src/models/missingPart.ts';
import { composeStopQuestion } from '../../../client/src/stopText.ts';
import { full } from '../../webview/fixtures/states.ts';

const HOUR = 3_600_000;
const now = new Date(2026, 10, 25, 22, 30).getTime();
const morning = new Date(2026, 10, 26, 7, 0).getTime();
const plan = { until: morning, maxChanges: 5, proposer: null, scope: WHOLE_SCOPE, maxCost: null };
const choices = {
  maxChanges: 10,
  proposers: [],
  leftOut: 0,
  missing: [],
  outlook: 'It may bring something.',
  power: null,
  folders: ['src', 'src/old'],
  kinds: [
    { kind: 'tests', text: 'missing tests' },
    { kind: 'style', text: 'style' },
  ],
  unasked: ['A change by a recipe: is committed if proven', 'All else: waits for you'],
  money: null,
  keepsAfterWindow: true,
};

describe('the questions', () => {
  test('the first end is the next morning; the last one is typed', () => {
    const offers = createEndOffers(now);
    expect(offers.map(({ value }) => value)).toEqual([morning, now + HOUR, now + 8 * HOUR, null]);
    expect(offers.map(({ description }) => description)).toEqual([
      '8 h 30 min',
      'until 23:30',
      'until 06:30',
      'such as 06:30, or 90m',
    ]);
  });

  test.each([
    ['07:00', morning],
    [' 7:00 ', morning],
    ['23:00', now + HOUR / 2],
    ['90m', now + 1.5 * HOUR],
    ['1h30m', now + 1.5 * HOUR],
    ['1h 30m', now + 1.5 * HOUR],
    ['25:00', null],
    ['tomorrow', null],
    ['90', null],
    ['0m', null],
    ['', null],
  ])('%s is typed', (text, end) => {
    expect(parseEnd(text, now)).toBe(end);
  });

  test('the setting comes first, and no number twice', () => {
    expect(createLimitOffers(choices).map(({ value }) => value)).toEqual([10, 5, 20, 50]);
    expect(createLimitOffers({ ...choices, maxChanges: 20 }).map(({ value }) => value)).toEqual([20, 5, 50]);
    expect(createLimitOffers({ ...choices, maxChanges: 1 })[0]?.label).toBe('1 Change');
  });

  test('recipes alone come first, then the last choice; models of the window are left out, and it is said', () => {
    const row = { where: 'code stays on this machine', why: 'Ready.' };
    const proposers = [
      { name: 'ollama:one', ...row },
      { name: 'agent:two', title: 'Two', ...row },
      { name: 'openai:MODEL', ...row },
    ];
    const offers = createProposerOffers({ ...choices, proposers, leftOut: 2 }, 'agent:two');
    // An address can always be typed, as in "Improve with a Model…".
    const address = 'openai-compatible:ADDRESS';
    expect(offers.map(({ value }) => value)).toEqual([null, 'agent:two', 'ollama:one', 'openai:MODEL', address]);
    expect(findMissingPart(address)).toEqual({ kind: 'openai-compatible', part: 'address' });
    expect(offers[0]?.detail).toContain('Models of this window cannot be asked');
    expect(createProposerOffers({ ...choices, proposers }, undefined)[0]?.detail).not.toContain('window');
  });

  test('a provider without a model asks for it; the model that was typed last time is offered again', () => {
    const model = { kind: 'openai', part: 'model' } as const;
    expect(findMissingPart('openai:MODEL')).toEqual(model);
    // A person reads a name and not a form; the form can be searched for.
    expect(describeProposer({ name: 'openai:MODEL' }, 'Ready.')).toEqual({
      label: 'OpenAI…',
      detail: 'openai:MODEL: Ready.',
    });
    expect(describeProposer({ name: 'ollama:one' }, 'Ready.')).toEqual({ label: 'ollama:one', detail: 'Ready.' });
    expect(completeName(model, ' gpt ')).toBe('openai:gpt');
    expect(findMissingPart('gguf:FILE')).toEqual({ kind: 'gguf', part: 'file' });
    for (const complete of ['ollama:one', 'ollama:a/MODEL', null]) expect(findMissingPart(complete)).toBeNull();
    const proposers = [{ name: 'openai:MODEL', where: 'code goes to api.openai.com', why: 'Its key is stored.' }];
    expect(createProposerOffers({ ...choices, proposers }, 'openai:gpt').map(({ value }) => value)).toEqual([
      null,
      'openai:gpt',
      'openai:MODEL',
      'openai-compatible:ADDRESS',
    ]);
  });

  test('before the start it is said what happens, what never happens, and how to end it', () => {
    const said = formatPlanSummary(plan, 'tools', choices, now);
    for (const part of [
      'all of tools, as',
      '• A change by a recipe: is committed if proven\n• All else: waits for you',
      'Until: 07:00 (8 h 30 min)',
      'at most 5 changes',
      'selfware/night-2026-11-25',
      'Expect: It may bring something.',
      'nobody, recipes alone',
      'Never touched: your files, your branch, the index',
      '"Selfware: End the Night"',
    ])
      expect(said).toContain(part);
    // What a person decides by is in view without scrolling.
    const order = ['Never touched', 'Until', 'Commits', 'Asks', 'Expect', 'What may happen'];
    expect(order.map((part) => said.indexOf(part))).toEqual(
      order.map((part) => said.indexOf(part)).toSorted((a, b) => a - b),
    );
    const other = { ...choices, power: 'It waits.', keepsAfterWindow: false };
    const saidElse = formatPlanSummary({ ...plan, proposer: 'ollama:one' }, 'tools', other, now);
    for (const part of ['Asks: ollama:one', 'Power: It waits.', 'Closing or reloading this window ends it'])
      expect(saidElse).toContain(part);
    expect(said).not.toContain('Money');
    expect([said.includes('Power'), said.includes('Closing this window does not end it')]).toEqual([false, true]);
  });
});

describe('the scope and the money', () => {
  const scope = { places: ['src'], excluded: ['src/old'], kinds: ['tests'] };

  test('Enter continues with everything; each part says what is chosen', () => {
    const [first, ...parts] = createScopeOffers(WHOLE_SCOPE, 'tools');
    expect(first).toMatchObject({ label: '$(check) Everything', description: 'all of tools', value: 'done' });
    expect(parts.map(({ value }) => value)).toEqual(['places', 'excluded', 'kinds']);
    expect(parts.every(({ description }) => description === undefined)).toBe(true);
    expect(createScopeOffers(scope, 'tools').map(({ description }) => description)).toEqual([
      'only src, without src/old (only tests)',
      'src',
      'src/old',
      'tests',
    ]);
    expect(createPartOffers('excluded', choices).map(({ value }) => value)).toEqual(['src', 'src/old']);
    expect(createPartOffers('kinds', choices)[0]).toEqual({
      label: 'tests',
      description: 'missing tests',
      value: 'tests',
    });
  });

  test('the summary says the scope and the limit of money', () => {
    const summaryOf = (maxCost: number) => formatPlanSummary({ ...plan, scope, maxCost }, 'tools', choices, now);
    expect(summaryOf(2.5)).toContain('Works on: only src, without src/old (only tests), as it was last committed.');
    expect(summaryOf(2.5)).toContain('Money: at most 2.5 by your prices.');
    expect(summaryOf(0)).toContain('Money: no limit.');
  });

  test('money is asked for only if the proposer may cost some', () => {
    const money = { limit: 3, free: ['ollama:one'] };
    expect([mayCost(null, money), mayCost('ollama:one', money), mayCost('openai:x', null)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(mayCost('openai:x', money)).toBe(true);
    expect(createMoneyOffers(3).map(({ value }) => value)).toEqual([3, null, 0]);
    expect(createMoneyOffers(0).map(({ value }) => value)).toEqual([0, null]);
    expect(['2.50', ' 1,5 ', '0', '-1', 'much', ''].map(parseAmount)).toEqual([2.5, 1.5, null, null, null, null]);
  });
});

const running: NightSummary = {
  branch: 'selfware/night-2026-11-25',
  state: 'running',
  line: 'Unattended run: running until 07:00, 3 changes',
  step: 'verifying 3/10: Tests',
  changes: 3,
  untaken: 3,
  decided: null,
};
const open = [{ id: 'p', number: 1, title: 'One', detail: 'proven', place: 'onBranch', isTaken: false }] as const;
const over: NightSummary = { ...running, state: 'ended', line: 'Last night: 5 changes', open };

test.each([
  ['the run has ended', { ...full, night: running }, { ...full, night: over }, 'Last night: 5 changes'],
  ['it waits', { ...full, night: running }, { ...full, night: { ...running, state: 'waiting' } }, null],
  ['it was over before the window opened', null, { ...full, night: over }, null],
  ['it was over before', { ...full, night: over }, { ...full, night: over }, null],
  ['another folder was chosen', { ...full, night: running }, { ...full, folder: 'file:///b', night: over }, null],
] as const)('the end is told once: %s', (_, before, after, sentence) => {
  expect(findEndSentence(before, after)).toBe(sentence);
});

const needing: NightSummary = { ...running, state: 'needsPerson', step: 'It gains too much.' };
test.each([
  ['it begins to wait', { ...full, night: running }, { ...full, night: needing }, true],
  ['it waits already', { ...full, night: needing }, { ...full, night: needing }, false],
  ['it waited before the window was opened or reloaded', null, { ...full, night: needing }, true],
  ['another folder was chosen', { ...full, folder: 'file:///b' }, { ...full, night: needing }, false],
  ['it waits for a commit', { ...full, night: running }, { ...full, night: { ...running, state: 'waiting' } }, false],
] as const)('a person is told once that the run needs them: %s', (_, before, after, isTold) => {
  expect(findNeedSentence(before, after)).toBe(isTold ? 'the unattended run needs you. It gains too much.' : null);
});

test('the dialog about an acceptance test shows the wish, what is new in each file, and how it fails', () => {
  const files = [{ path: 'a.test.js', before: 'old();\n', after: 'old();\nfresh();\n' }];
  const shown = { wish: 'w', words: 'Round up.', left: 2, files, failure: 'a: 1 !== 2', refused: null };
  const detail = formatAcceptance(shown, files);
  expect(detail).toBe(
    'Wish: Round up.\n\na.test.js\nfresh();\n\nIt fails today, as it should: a: 1 !== 2\n\n2 more to ask about.',
  );
  const changed = formatAcceptance(shown, [{ path: 'a.test.js', after: 'other();\n' }]);
  expect(changed).toContain('other();');
  expect(changed).toContain('it runs once more');
  const long = { path: 'a.test.js', after: 'line();\n'.repeat(100) };
  expect(formatAcceptance(shown, [long]).split('\n').length).toBeLessThan(60);
});

test('Stop says that it ends the run, also if nothing else runs', () => {
  expect(composeStopQuestion({ ...full, night: running }, now)?.detail).toContain('The unattended run ends.');
  expect(composeStopQuestion({ ...full, night: over }, now)).toBeNull();
});

test('the menu offers what is possible now', () => {
  const commands = (night?: NightSummary) =>
    listNightEntries({ ...full, ...(night ? { night } : {}) }).map(({ command }) => command.replace('selfware.', ''));
  expect(commands()).toEqual(['runOvernight', 'wishes']);
  expect(commands(running)).toEqual(['showNight', 'endNight', 'wishes']);
  expect(commands(needing)).toEqual(['showNight', 'continueNight', 'endNight', 'wishes']);
  const decisions = ['dropNight', 'squashNight', 'nightPullRequest'];
  expect(commands(over)).toEqual(['showNight', 'acceptNight', ...decisions, 'runOvernight', 'wishes']);
  const taken = open.map((change) => ({ ...change, isTaken: true }));
  expect(commands({ ...over, open: taken })).toEqual(['showNight', ...decisions, 'runOvernight', 'wishes']);
  expect(commands({ ...over, decided: 'dropped', line: null })).toEqual(['runOvernight', 'wishes']);
});

test('a wish is shown with its place in the queue, its test, and what came of the tries', () => {
  const wish = { id: 'w-1', words: 'Round up.\nAlways.', test: 'open', tries: 0, lastReason: null } as const;
  expect(createWishItem(wish, 0)).toEqual({
    label: '1. Round up. …',
    description: 'its acceptance test is made before the run',
  });
  const tried = { ...wish, words: 'Round up.', test: 'accepted', tries: 2, lastReason: 'a test failed' } as const;
  expect(createWishItem(tried, 1)).toEqual({
    label: '2. Round up.',
    description: 'with its acceptance test',
    detail: 'Tried 2 times in vain: a test failed',
  });
});
