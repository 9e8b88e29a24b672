// What people read in the place of ids: every check has a name and says what it shows, and no riddle is left on a
// surface.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLabel, checkWords, describeEffect, plainReason } from '#protocol/plainWords';
import { SAFETY_LEVELS } from '../../../server/src/core/model.ts';
import { GATE_ORDER } from '../../../server/src/core/model/gates.ts';

const product = join(import.meta.dirname, '..', '..', '..');

test('every check has a name of its own and one sentence on what it shows', () => {
  expect(Object.keys(checkWords)).toEqual(GATE_ORDER);
  const labels = GATE_ORDER.map(checkLabel);
  expect(new Set(labels).size).toBe(labels.length);
  for (const { label, meaning } of Object.values(checkWords)) {
    expect(label).not.toMatch(/\b(guard|differential|integrity|gate|judge|ruler)\b/i);
    expect(meaning).toMatch(/^[A-Z][^.]+\.$/);
  }
});

test('a reason names its check as people know it, and an unknown word stays', () => {
  expect(plainReason('differential: `f(1)` was 1 and is 2.')).toBe('Same behaviour: `f(1)` was 1 and is 2.');
  expect(plainReason('note: see the log')).toBe('note: see the log');
  expect(plainReason('The score is not known.')).toBe('The score is not known.');
});

test('what a change may do is said in words that follow “It”; a removed export is called one', () => {
  for (const safety of SAFETY_LEVELS)
    expect(describeEffect({ safety, recipe: 'remove-else' })).toMatch(/^[a-z]+ [a-z ,]+$|^only adds$/);
  expect(describeEffect({ safety: 'behaviorChanging', recipe: 'modernize', isShownSame: true })).toBe(
    'was shown to keep what the code does',
  );
  expect(describeEffect({ safety: 'behaviorChanging', recipe: 'unexport' })).toBe('no longer exports a name');
  expect(describeEffect({ safety: 'critical', recipe: 'characterization-test' })).toBe('only adds tests');
});

/** Words of the trade that a person cannot know. Comments and ids may have them; what is shown may not. */
const riddles = /\b(in probation|judge files?|the guard gate|judge now|behaviou?r changing)\b/i;

test('no surface speaks in words of the trade', () => {
  const found = [
    'client/src',
    'webview/src',
    'server/src/lsp',
    'server/src/cli',
    'server/src/core/session',
    'server/src/core/verify/gates',
  ].flatMap((folder) =>
    readdirSync(join(product, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) =>
        shownLines(readFileSync(join(product, folder, path), 'utf8'))
          .filter((line) => riddles.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      ),
  );
  expect(found).toEqual([]);
});

function shownLines(source: string): string[] {
  return source.split('\n').filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line));
}
