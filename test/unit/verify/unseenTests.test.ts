// An author that brings strong tests of its own, which no person has seen, is not guarded by them.

import { expect, test } from 'vitest';
import type { Author } from '../../../server/src/core/model/authors.ts';
import type { FileEdit, Proposal } from '../../../server/src/core/model.ts';
import { isTestEdit } from '../../../server/src/core/paths/testEdits.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { findUnseenTests } from '../../../server/src/core/session/verify/unseenTests.ts';
import { planMutants } from '../../../server/src/core/verify/guard/planMutants.ts';
import type { ProofContext } from '../../../server/src/core/verify/proof.ts';
import { verifyProposal } from '../../../server/src/core/verify/verify.ts';
import { never } from '../../adapters/sandbox/sandboxOf.ts';
import { createInProcessRunner } from '../../helpers/inProcessRunner.ts';
import { contextOf, edit, proposalOf, toldBy } from './verifying.ts';
import { manifestOf } from '../../helpers/manifest.ts';
import { createPart } from '../../helpers/createPart.ts';

const head =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { price } from './price.js';\n";
const weak = `${head}test('a number', () => assert.equal(typeof price(3, 5), 'number'));\n`;
const strong = `test('few', () => {\n  assert.equal(price(1, 5), 5);\n  assert.equal(price(9, 5), 45);\n});
test('many', () => {\n  assert.equal(price(10, 5), 45);\n  assert.equal(price(20, 5), 90);\n});\n`;
const before = `export function price(count, each) {
  let sum = count * each;
  if (count >= 10) sum = sum - sum / 10;
  return sum;
}
`;
const wrong = before.replace('sum / 10', 'sum / 9');
const own = `${head}${strong}`;
const proof: ProofContext = {
  settings: { guardSeconds: 120, guardMutants: 12, guardStrength: 80, differentialSeconds: 0 },
  harness: null,
  planDifferential: () => Promise.reject(new Error('It is switched off.')),
  planMutants: async (edits, most) => planMutants(edits, most, isTestEdit),
  changesBehavior: () => false,
  checksImporters: () => false,
};
const after = before.replace('let sum = count * each;', 'let sum = each * count;');

async function guarded(files: Readonly<Record<string, string>>, unseen: readonly FileEdit[], to = after) {
  const sandbox = createInProcessRunner({
    'package.json': manifestOf('shop'),
    'price.js': before,
    ...files,
  });
  const context = contextOf({ sandbox }, { proof, unseenTests: async () => unseen });
  return toldBy('guard', await verifyProposal(context, proposalOf([edit('price.js', before, to)]), never));
}

test('tests of its own that nobody has seen guard nothing; seen ones do', async () => {
  const files = { 'price.test.js': weak, 'own.test.js': own };
  expect(await guarded(files, [])).toMatch(/^guard passed: Strong/);
  expect(await guarded(files, [edit('own.test.js', null, own)])).toMatch(
    /^guard unknown: Weak: .* Tests in 1 file do not count, because no person has seen them/s,
  );
  const appended = `${weak}${strong}`;
  expect(await guarded({ 'price.test.js': appended }, [])).toMatch(/^guard passed/);
  expect(await guarded({ 'price.test.js': appended }, [edit('price.test.js', weak, appended)])).toMatch(
    /^guard unknown: Weak/,
  );
});

test('a wrong change that its own tests would bless is still refused by the tests of others', async () => {
  const people = `${head}test('many', () => assert.equal(price(10, 9), 81));\n`;
  expect(await guarded({ 'price.test.js': people, 'own.test.js': own }, [], wrong)).toBeUndefined();
});

interface Past {
  readonly by: 'person' | 'charter';
  readonly author: Author;
  readonly at?: number;
  readonly committed?: boolean;
  readonly edits: readonly FileEdit[];
}

async function found(past: readonly Past[], now: Readonly<Record<string, string>>, proposal: Partial<Proposal> = {}) {
  const events = past.flatMap(({ by, at = 1, committed = false }, index) => [
    { type: 'approved', at, data: { proposal: `p${index}`, by } },
    { type: 'applied', at, data: { proposal: `p${index}` } },
    ...(committed ? [{ type: 'committed', at, data: { proposal: `p${index}` } }] : []),
  ]);
  const proposals = past.map(({ author, edits }, index) => ({
    ...{ ...proposalOf(edits), id: `p${index}`, recipe: author === 'recipe' ? 'r' : 'brought', author },
    status: 'kept' as const,
  }));
  const context = createPart<SessionContext>({
    ledger: { query: async () => events, proposals: async () => proposals },
    ports: {
      files: { read: async (path: string) => (path in now ? new TextEncoder().encode(now[path]) : null) },
    },
    state: { openedAt: 100 },
  });
  return findUnseenTests(context, { ...proposalOf([]), id: 'now', author: 'agent', recipe: 'brought', ...proposal });
}

const added = edit('own.test.js', null, own);

test.each<[string, Past, boolean]>([
  ['the same author', { by: 'charter', author: 'agent', edits: [added] }, true],
  ['another author', { by: 'charter', author: 'model', edits: [added] }, false],
  ['another author in the same run', { by: 'charter', author: 'model', at: 100, edits: [added] }, true],
  ['a person who approved them', { by: 'person', author: 'agent', edits: [added] }, false],
  ['a person who committed them', { by: 'charter', author: 'agent', committed: true, edits: [added] }, false],
  ['a person who wrote them', { by: 'charter', author: 'person', at: 100, edits: [added] }, false],
  ['code that is no test', { by: 'charter', author: 'agent', edits: [edit('price.js', null, before)] }, false],
])('%s', async (_, past, unseen) => {
  expect(await found([past], { 'own.test.js': own, 'price.js': before })).toEqual(unseen ? [added] : []);
});

test('what came later stays, and so does what the proposal itself does to the file', async () => {
  const lines = (...more: string[]) => ['one', 'two', 'three', 'four', ...more].map((line) => `${line}\n`).join('');
  const path = 'a.test.js';
  const past: readonly Past[] = [
    { by: 'charter', author: 'agent', edits: [edit(path, lines(), lines('five', 'six'))] },
    { by: 'charter', author: 'agent', edits: [edit(path, lines('five', 'six'), lines('five', 'six', 'seven'))] },
  ];
  const now = `zero\n${lines('five', 'six', 'seven')}`;
  expect(await found(past, { [path]: now })).toEqual([edit(path, `zero\n${lines()}`, now)]);
  const wanted = now.replace('zero', 'nought');
  expect(await found(past, { [path]: now }, { edits: [edit(path, now, wanted)] })).toEqual([
    edit(path, `nought\n${lines()}`, wanted),
  ]);
  // A person has worked on them.
  expect(await found(past.slice(0, 1), { [path]: lines('five', 'FIVE AND A HALF', 'six', 'else') })).toEqual([]);
});
