// What only looks mended is applied by nobody's leave but a person's: edits for the sake of points go the whole way of
// a proposal, on the repository that the catalogue of such edits starts from.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { base } from '../../fixtures/gaming/base.ts';
import { honest } from '../../fixtures/gaming/honest.ts';
import { pretexts } from '../../fixtures/gaming/pretexts.ts';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { spelled } from './attack.ts';
import { EVERY_ATTACK } from './attacks.ts';
import { createGround, perform, type Ground } from './ground.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await createGround({ files: base });
});
afterAll(async () => {
  await ground[Symbol.asyncDispose]();
});

function editsTo(after: Readonly<Record<string, string>>): FileEdit[] {
  return [...new Set([...Object.keys(base), ...Object.keys(after)])]
    .filter((path) => base[path] !== after[path])
    .map((path) => ({ path, before: base[path] ?? null, after: after[path] ?? null }));
}

/** In `npm test` every eighth goes the whole way; `test/unit/score/gaming.test.ts` asks the ruler about all of them. */
const tried = EVERY_ATTACK ? pretexts : pretexts.filter((_, index) => index % 8 === 0);

test.each(tried.map((pretext) => [pretext.name, pretext] as const))('%s', async (name, { says, edit }) => {
  const edits = editsTo(edit(base));
  const run = (place: Ground) => place.bring(edits);
  const { answer, escaped } = await perform(ground, { name, wants: says, expected: '(asks|refused)', run });
  expect(escaped, answer.detail).toEqual([]);
  expect(spelled(answer), answer.detail).toMatch(/^(asks|refused)/);
});

// Where everything is refused, nothing is shown.
test('honest work is not refused for its points on the same ground', async () => {
  const ends: string[] = [];
  for (const { name, says, edit } of honest.filter(({ edit: make }) => editsTo(make(base)).length === 1).slice(0, 3)) {
    const run = (place: Ground) => place.bring(editsTo(edit(base)));
    ends.push(spelled((await perform(ground, { name, wants: says, expected: '', run })).answer));
  }
  expect(ends.filter((end) => !end.startsWith('refused: score'))).not.toEqual([]);
});
