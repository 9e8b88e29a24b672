// Which of several things pass a check together, and how many checks that takes.

import { expect, test } from 'vitest';
import { findPassing, type Attempt } from '../../../server/src/core/session/setup/findPassing.ts';

/** Checks letters; capitals fail, and a letter fails without another one that it needs. */
async function findLetters(text: string, needs: Readonly<Record<string, string>> = {}, unknown = '') {
  const checks: string[] = [];
  const { passed, answer, failed } = await findPassing([...text], async (part): Promise<Attempt<string>> => {
    const tried = part.join('');
    checks.push(tried);
    if (unknown !== '' && tried.includes(unknown)) return { outcome: 'unknown', reason: 'late' };
    const culprit = part.find((letter) => /[A-Z]/.test(letter) || !tried.includes(needs[letter] ?? ''));
    return culprit === undefined
      ? { outcome: 'passed', answer: tried }
      : { outcome: 'failed', reason: `${culprit} of ${tried}` };
  });
  return { passed: passed.join(''), answer, failed: failed.map(({ item, reason }) => `${item}: ${reason}`), checks };
}

test('what passes together takes one check', async () => {
  expect(await findLetters('abcd')).toEqual({ passed: 'abcd', answer: 'abcd', failed: [], checks: ['abcd'] });
});

test('one culprit is found by halves, and what is left has passed as a whole', async () => {
  expect(await findLetters('abcdefgH')).toEqual({
    passed: 'abcdefg',
    answer: 'abcdefg',
    failed: ['H: H of abcdefgH'],
    checks: ['abcdefgH', 'abcd', 'abcdef', 'abcdefg'],
  });
  expect((await findLetters('Abcdefgh')).checks).toEqual(['Abcdefgh', 'Abcd', 'Ab', 'A', 'b', 'bcd', 'bcdefgh']);
});

test('several culprits are named, and nothing is answered if none passes', async () => {
  expect(await findLetters('aBcdeF')).toMatchObject({
    passed: 'acde',
    answer: 'acde',
    failed: [/^B/, /^F/].map(match),
  });
  expect(await findLetters('AB')).toMatchObject({ passed: '', answer: null, failed: [/^A/, /^B/].map(match) });
  expect(await findLetters('')).toMatchObject({ passed: '', answer: null, failed: [] });
});

test('an item that needs a later one is no culprit', async () => {
  expect(await findLetters('abcdXe', { a: 'e' })).toMatchObject({
    passed: 'abcde',
    failed: [match(/^X: X of abcdXe/)],
  });
});

test('halves are not tried if the cause is not a single item', async () => {
  expect(await findLetters('abcd', {}, 'c')).toMatchObject({ passed: '', checks: ['abcd'] });
});

test('no set is checked twice', async () => {
  for (const text of ['AbcD', 'ABCDefgh', 'abCdeFgh', 'aBcDeF']) {
    const { checks } = await findLetters(text);
    expect(new Set(checks).size).toBe(checks.length);
  }
});

function match(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}
