// The page of the evidence belongs to one proposal alone, whatever the titles of others are.

import { expect, test } from 'vitest';
import { evidenceNameOf, isEvidencePageOf } from '../../../client/src/review/evidenceName.ts';

const refused = { id: 'p-20261121-0q5x3k-7c2m', title: 'Simplify `total`' };
const waiting = { id: 'p-20261121-0q5x9a-k1s0', title: 'Simplify `total`' };

test('the page of a refused proposal is not one of a waiting proposal with the same title', () => {
  const label = `Preview ${evidenceNameOf(refused)}`;
  expect(isEvidencePageOf(label, refused)).toBe(true);
  expect(isEvidencePageOf(label, waiting)).toBe(false);
});

test('a title that names another page is the page of its own proposal', () => {
  const posing = { id: 'p-20261121-0q5xzz-0000', title: `x ${evidenceNameOf(waiting)}` };
  const label = `Preview ${evidenceNameOf(posing)}`;
  expect([posing, waiting].filter((proposal) => isEvidencePageOf(label, proposal))).toEqual([posing]);
});

test('a file of the repository that is named like a page is none', () => {
  expect(isEvidencePageOf('Preview Evidence Simplify `total`.md', waiting)).toBe(false);
});
