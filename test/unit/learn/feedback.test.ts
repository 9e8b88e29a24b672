// What goes wrong often enough to act on it, and what somebody has dealt with since.

import { expect, test } from 'vitest';
import { analyseFeedback, type Feedback } from '../../../server/src/core/learn/feedback.ts';

const DAY = 86_400_000;
const NOW = 100 * DAY;
let sequence = 0;
const said = (kind: Feedback['kind'], dimension: string, at = NOW - DAY): Feedback => ({
  sequence: ++sequence,
  at,
  session: 's',
  kind,
  dimension,
  value: null,
  note: null,
});
const many = (count: number, kind: Feedback['kind'], dimension: string, at?: number) =>
  Array.from({ length: count }, () => said(kind, dimension, at));

test('many corrections do not hide the failures of tools', () => {
  const failure = said('tool_failure', 'tool:search');
  const { recent, failures } = analyseFeedback([failure, ...many(25, 'user_correction', 'style')], [], NOW);
  expect(recent).toHaveLength(20);
  expect(recent.map(({ kind }) => kind)).not.toContain('tool_failure');
  expect(failures).toEqual([failure]);
});

test('a record of several calls counts as that many', () => {
  const calls = { ...said('tool_failure', 'tool:agent/bash'), count: 4 };
  const { tools, counts } = analyseFeedback([calls, said('tool_success', 'tool:agent/bash')], [], NOW);
  expect(tools).toEqual([{ dimension: 'tool:agent/bash', calls: 5, failures: 4 }]);
  expect(counts.tool_failure).toBe(4);
});

const found = (all: readonly Feedback[], commits: Parameters<typeof analyseFeedback>[1] = []) =>
  analyseFeedback(all, commits, NOW).findings.map(({ kind, dimension, dealtWith }) => [kind, dimension, dealtWith]);

test.each([
  { what: 'more than a fifth of at least five calls fails', failures: 2, successes: 4, finds: 1 },
  { what: 'exactly a fifth fails', failures: 1, successes: 4, finds: 0 },
  { what: 'four calls say too little', failures: 4, successes: 0, finds: 0 },
])('a tool: $what', ({ failures, successes, finds }) => {
  const all = [...many(failures, 'tool_failure', 'tool:search'), ...many(successes, 'tool_success', 'tool:search')];
  expect(found(all)).toEqual(Array(finds).fill(['tool_failure', 'tool:search', null]));
  // What is older than a week no longer counts.
  const old = all.map((one) => ({ ...one, at: NOW - 8 * DAY }));
  expect(found(old)).toEqual([]);
});

test.each(['user_correction', 'provider_error'] as const)('%s: three of one kind, not two', (kind) => {
  expect(found([...many(2, kind, 'a'), ...many(2, kind, 'b')])).toEqual([]);
  expect(found([...many(3, kind, 'a'), ...many(2, kind, 'b')])).toEqual([[kind, 'a', null]]);
});

test('a commit since then that names the dimension has dealt with it; an earlier one, or another word, has not', () => {
  const all = many(3, 'user_correction', 'output-hygiene', NOW - DAY);
  const commit = (subject: string, atMs = NOW) => [{ subject, atMs }];
  expect(found(all, commit('Output-hygiene: no testing steps'))[0]?.[2]).toBe('Output-hygiene: no testing steps');
  expect(found(all, commit('output-hygiene', NOW - 2 * DAY))[0]?.[2]).toBeNull();
  expect(found(all, commit('No output-hygiene-checks'))[0]?.[2]).toBeNull();
});

test.each([
  { dimension: 'gate:tests', subject: 'Add tests for the parser', settles: false },
  { dimension: 'gate:tests', subject: 'Fix the order of gate:tests', settles: true },
  { dimension: 'gate:tests', subject: 'Fix what `tests` says', settles: true },
  { dimension: 'tool:search', subject: 'Make search accept colons', settles: false },
  { dimension: 'tool:search', subject: 'Let tool:search accept colons', settles: true },
  { dimension: 'prefer-const', subject: 'Prefer const over let', settles: false },
  { dimension: 'prefer-const', subject: 'Switch prefer-const off in tests', settles: true },
  { dimension: 'request', subject: 'Send the request twice', settles: false },
])('the commit “$subject” settles $dimension: $settles', ({ dimension, subject, settles }) => {
  const kind = /^(?:tool|gate):/.test(dimension) ? 'tool_failure' : 'user_correction';
  expect(found(many(5, kind, dimension), [{ subject, atMs: NOW }])[0]?.[2]).toBe(settles ? subject : null);
});

test('the digest changes with what there is to act on, not with counts', () => {
  const digest = (all: readonly Feedback[]) => analyseFeedback(all, [], NOW).digest;
  const three = many(3, 'user_correction', 'a');
  expect(digest([...three, said('user_correction', 'a')])).toBe(digest(three));
  expect(digest([...three, ...many(3, 'provider_error', 'b')])).not.toBe(digest(three));
});
