// What the page of a judgement says, also to the workflow in docs/gate.md, which decides by it whether a push fails.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Judgement } from '../../../server/src/core/model/judgement.ts';
import type { Verdict } from '../../../server/src/core/model.ts';
import { judgementPage, unjudgedPage } from '../../../server/src/core/verify/judge/page.ts';

const page = (outcome: Verdict['outcome'], evidence: Verdict['evidence'] = {}) =>
  judgementPage({
    ...{ base: '0123456789abcdef', head: null, authors: [], claims: [], notes: [], seconds: 1, strength: 'unchecked' },
    files: { changed: 1, added: 0, deleted: 0, renamed: 0, binary: 0, paths: ['a.js'] },
    verdicts: [{ gate: 'tests', outcome, reason: '1 test.', evidence, millis: 1 }],
    tests: { changes: [], added: 0 },
    points: { before: null, after: null },
    policy: { source: null, met: outcome !== 'failed', rules: [] },
  } satisfies Judgement);

test('the pattern in the workflow recognises a page with a failed check, and no other', () => {
  const docs = readFileSync(new URL('../../../docs/gate.md', import.meta.url), 'utf8');
  const pattern = new RegExp(/grep -Eq '([^']+)'/.exec(docs)![1]!, 'm');
  expect(pattern.test(page('failed'))).toBe(true);
  expect(pattern.test(page('passed'))).toBe(false);
  expect(pattern.test(page('unknown'))).toBe(false);
  expect(pattern.test(unjudgedPage('No commit.'))).toBe(false);
});

test('the headline does not praise code that a person has to look at', () => {
  expect(page('passed')).toContain('nothing speaks against this change');
  expect(page('passed', { hidden: 'a.js:1 asks for 777.' })).toContain('a person has to look at code');
});

test('the page of a change that could not be judged replaces the comment of an older one', () => {
  expect(unjudgedPage('There is no `x`.')).toMatch(/^<!-- selfware-verify -->\n## Selfware: .*\n\nThere is no/);
});
