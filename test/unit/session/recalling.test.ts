// Which lessons a question gets, from the events of a ledger.

import { expect, test } from 'vitest';
import { createWordEmbedder } from '../../../server/src/app/embedders.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { collectEvidence, readEvents } from '../../../server/src/core/session/learn/lessonEvidence.ts';
import { recallLessons } from '../../../server/src/core/session/learn/recalling.ts';
import type { StoredEvent } from '../../../server/src/core/ports/ledger.ts';
import { createPart } from '../../helpers/createPart.ts';

const CODES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((letter) => `rule-${letter}`);

/** Stored events with these types and data, a millisecond apart. */
function stored(events: readonly (readonly [type: string, data: unknown])[]): readonly StoredEvent[] {
  return events.map(([type, data], at) => ({
    id: `e-${at}`,
    sequence: at + 1,
    at: at + 1,
    type,
    data,
    previous: '',
    hash: '',
  }));
}

function proposed(id: string): readonly [string, unknown] {
  const opportunity = { id: `o-${id}`, rule: 'request', path: 'src/a.ts' };
  return ['proposed', { proposal: { id, recipe: 'request', title: id, edits: [], opportunity } }];
}

/** A refusal by the linter because of these rules of it. */
function linted(id: string, codes: readonly string[]): readonly [string, unknown] {
  const findings = codes.map((code) => `${code}\tsrc/a.ts\tNo.`).join('\n');
  return [
    'refused',
    { proposal: id, verdicts: [{ gate: 'lint', outcome: 'failed', reason: 'No', evidence: { findings } }] },
  ];
}

test('a question gets the two newest lessons of the linter after those of people, which keep their places', async () => {
  const reasons = ['Mornings', 'Colours', 'Loud', 'Narrow', 'Wide', 'Early'];
  const events = stored([
    ...reasons.flatMap((reason, at) => [
      proposed(`p-${at}`),
      ['rejected', { proposal: `p-${at}`, by: 'person', reason }] as const,
    ]),
    proposed('old'),
    linted('old', CODES),
    proposed('new'),
    linted('new', ['rule-y', 'rule-z']),
  ]);
  const context = createPart<SessionContext>({
    repositoryLedger: null,
    ledger: { query: async () => events, idsWithForgottenLessons: async () => new Set() },
    state: { analyses: new Map() },
    ports: { embedder: { source: 'provider' } },
  });
  const { signal } = new AbortController();
  const told = await recallLessons(context, { rule: 'request', words: 'Anything' }, signal);
  expect(told).toHaveLength(8);
  const all = told.join('\n');
  for (const reason of reasons) expect(all).toContain(`“${reason}”`);
  expect(
    told
      .slice(6)
      .map((text) => /its rule (\S+),/.exec(text)?.[1])
      .sort(),
  ).toEqual(['rule-y', 'rule-z']);
  const other = await recallLessons(context, { rule: 'other', words: 'Anything' }, signal);
  expect(other.map((text) => /its rule (\S+),/.exec(text)?.[1]).sort()).toEqual(['rule-y', 'rule-z']);
});

test('a merge counts once, and not against what a person has decided before', () => {
  const merged = (id: string) => ['nightMerged', { night: 'n', proposal: id, commit: 'c' }] as const;
  const rejected = ['rejected', { proposal: 'q', by: 'person', reason: 'No' }] as const;
  const events = stored([proposed('p'), proposed('q'), merged('p'), merged('p'), rejected, merged('q')]);
  expect(collectEvidence(readEvents(events)).map(({ proposal, kind }) => `${proposal} ${kind}`)).toEqual([
    'p kept',
    'q rejected',
  ]);
});

test('forgetting one rule of the linter keeps the others; an event of an older version forgets the whole change', () => {
  const forget = { lesson: 'l-1', text: '', proposals: ['p'], opportunities: [] };
  const left = (data: unknown) =>
    collectEvidence(readEvents(stored([proposed('p'), linted('p', CODES.slice(0, 3)), ['lessonForgotten', data]]))).map(
      ({ finding }) => finding,
    );
  expect(left({ ...forget, finding: 'rule-b' })).toEqual(['rule-a', 'rule-c']);
  expect(left(forget)).toEqual([]);
});

test('lessons with similar words are recalled by the shipped table, whatever embedder the search uses', async () => {
  const events = stored([
    proposed('p'),
    ['rejected', { proposal: 'p', by: 'person', reason: 'Close the database connection after each query.' }],
  ]);
  const { signal } = new AbortController();
  const recall = (ports: Partial<SessionContext['ports']>) =>
    recallLessons(
      createPart<SessionContext>({
        repositoryLedger: null,
        ledger: { query: async () => events, idsWithForgottenLessons: async () => new Set() },
        state: { analyses: new Map() },
        ports: { embedder: { source: 'model' }, ...ports },
      }),
      { rule: 'other', words: 'Shut the connections to the database' },
      signal,
    );
  expect(await recall({})).toEqual([]);
  expect(await recall({ wordEmbedder: createWordEmbedder() })).toEqual([expect.stringContaining('Close the database')]);
});
