// The short table before a night says what the charter does.

import { expect, test } from 'vitest';
import { createCharter, type CharterSubject } from '../../../server/src/core/charter/charter.ts';
import { decideApply } from '../../../server/src/core/charter/course.ts';
import { describeUnasked } from '../../../server/src/core/charter/unasked.ts';
import { describeNeverUnasked } from '../../../server/src/core/charter/neverUnasked.ts';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { DEFAULT_ALLOWANCES } from '../../../server/src/core/model/capabilities.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createPart } from '../../helpers/createPart.ts';
import { AUTHOR_LABELS, AUTHORS } from '../../../server/src/core/model/authors.ts';
import { CLAIM_KINDS, FACTS_BY_CLAIM } from '../../../server/src/core/model/claims.ts';

const rows = describeUnasked();
const text = rows.map(({ change, becomes }) => `${change}: ${becomes}`);

const fixed = describeNeverUnasked();

test('it is short: what is committed, what waits, and then what never happens', () => {
  expect(rows.length).toBeLessThan(12);
  expect(text.at(-fixed.length - 1)).toMatch(/^All else, .*: waits for you$/);
  expect(fixed.map(({ becomes }) => becomes.split(';')[0])).toEqual([
    ...Array.from({ length: 3 }, () => 'waits for you'),
    ...Array.from({ length: 4 }, () => 'never happens'),
  ]);
});

test('what no run does is what only a person is allowed to do', () => {
  const capabilities = fixed.flatMap(({ capability }) => capability ?? []);
  expect(capabilities).toEqual(['clone', 'install']);
  for (const capability of capabilities)
    expect(AUTHORS.filter((author) => DEFAULT_ALLOWANCES[author].may.includes(capability))).toEqual(['person']);
});

test.each(fixed.flatMap(({ change, protectedPaths = [] }) => protectedPaths.map((path) => [change, path] as const)))(
  'never: %s: %s is protected, whatever the settings say',
  async (_, path) => {
    const files = createMemoryFiles({ 'src/a.ts': 'a' });
    const charter = createCharter({ files, protectedPaths: ['!**'], approval: 'branch', maxChanges: 10 });
    expect((await charter.check([{ path, before: null, after: 'x' }])).allowed).toBe(false);
    expect((await charter.check([{ path: 'src/mission/benchmarks.ts', before: null, after: 'x' }])).allowed).toBe(true);
  },
);

test('a deleted file waits for a person at every level, and a moved one does not for that', () => {
  const proposal = (edits: readonly FileEdit[]) =>
    createPart<CharterSubject>({ recipe: 'external', edits, verdicts: [], claim: null, author: 'model' });
  for (const approval of ['branch', 'minimal', 'moderate'] as const) {
    const charter = createCharter({ files: createMemoryFiles({}), protectedPaths: [], approval, maxChanges: 1 });
    const gone = { path: 'a.ts', before: 'a', after: null };
    expect(charter.reasonToAsk(proposal([gone]))).toBe('It deletes a.ts. A person decides about that at every level.');
    const moved = [gone, { path: 'b.ts', before: null, after: 'a' }];
    expect(charter.reasonToAsk(proposal(moved))).not.toContain('deletes');
  }
});

test.each<[string, readonly (readonly [path: string, text: string])[], readonly (readonly [string, string])[]]>([
  [
    'one new file is the new place of one deleted file',
    [
      ['a.ts', 'a'],
      ['b.ts', 'a'],
    ],
    [['c.ts', 'a']],
  ],
  ['a blank file is no new place', [['a/__init__.py', '\n']], [['b/__init__.py', '\n']]],
  ['a file with another extension is no new place', [['a.ts', 'a']], [['a.txt', 'a']]],
])('%s', (_, gone, made) => {
  const edits: readonly FileEdit[] = [
    ...gone.map(([path, before]) => ({ path, before, after: null })),
    ...made.map(([path, after]) => ({ path, before: null, after })),
  ];
  const files = createMemoryFiles({});
  const charter = createCharter({ files, protectedPaths: [], approval: 'branch', maxChanges: 1 });
  const subject = { recipe: 'external', edits, verdicts: [], claim: null, author: 'model' } as const;
  expect(charter.reasonToAsk(createPart<CharterSubject>(subject))).toContain('It deletes ');
});

test.each(AUTHORS)(
  'a line about %s for each claim, with the strengths that the charter accepts on a branch',
  (author) => {
    for (const claim of CLAIM_KINDS) {
      const courseOf = (strength: 'proven' | 'unchecked') =>
        decideApply({ claim, author, strength, approval: 'branch', onlyAdds: false, meetsRequirement: true });
      const ofAuthor = rows.filter(({ change }) => change.includes(AUTHOR_LABELS[author]));
      const row = ofAuthor.find(({ change }) => change.includes(FACTS_BY_CLAIM[claim].label)) ?? ofAuthor[0]!;
      expect(row.becomes.includes('proven')).toBe(courseOf('proven') === 'unasked');
      expect(row.becomes === 'is refused').toBe(courseOf('proven') === 'refused');
      expect(courseOf('unchecked')).not.toBe('unasked');
    }
  },
);
