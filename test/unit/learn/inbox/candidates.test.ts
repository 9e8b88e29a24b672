// What is proposed: commands that were repeated in several sessions, tools that were missed, tools that fail.

import { expect, test } from 'vitest';
import { findCandidates, deriveName } from '../../../../server/src/core/learn/inbox/candidates.ts';
import { analyseFeedback, type Feedback } from '../../../../server/src/core/learn/feedback.ts';
import type { FeedbackKind } from '../../../../server/src/core/model/feedback.ts';

/** Events in a row; `what` is the session, the kind and the dimension. */
function feedback(...what: readonly (readonly [string, FeedbackKind, string, string?])[]): readonly Feedback[] {
  return what.map(([session, kind, dimension, note = null], at) => ({
    sequence: at + 1,
    at: 1_000 + at,
    session,
    kind,
    dimension,
    value: null,
    note,
  }));
}

const candidates = (all: readonly Feedback[], known: readonly string[] = []) =>
  findCandidates(all, analyseFeedback(all, [], 2_000), known);

const ran = (session: string, line: string, kind: FeedbackKind = 'tool_success') =>
  [session, kind, `command:${line}`] as const;

test('commands that follow each other in three sessions become one, with the events that show it', () => {
  const all = feedback(
    ...['a', 'b', 'c'].flatMap((session) => [ran(session, 'npm run lint'), ran(session, 'npm test')]),
  );
  expect(candidates(all)[0]).toEqual({
    kind: 'command',
    id: expect.stringMatching(/^c-[0-9a-f]{8}$/),
    name: 'npm-run-lint-npm-test',
    description: 'Agents report that they ran these commands in 3 sessions.',
    command: 'npm run lint && npm test',
    events: [1, 2, 3, 4, 5, 6],
  });
});

test('two sessions, a failure in between, and short single commands are not enough', () => {
  const twice = ['a', 'b'].flatMap((session) => [ran(session, 'npm run lint'), ran(session, 'npm test')]);
  expect(candidates(feedback(...twice))).toEqual([]);
  const failing = ['a', 'b', 'c'].flatMap((session) => [
    ran(session, 'npm run lint'),
    ran(session, 'npm run types', 'tool_failure'),
    ran(session, 'npm test'),
  ]);
  expect(candidates(feedback(...failing))).toEqual([]);
});

test.each(['a || b', 'a; b', 'a # b', 'a & b', 'a \\'])('%s is not joined with another line', (line) => {
  const all = feedback(...['a', 'b', 'c'].flatMap((session) => [ran(session, line), ran(session, 'npm test 2>&1')]));
  expect(candidates(all)).toEqual([]);
});

test('a failure that Selfware measured itself is not marked as reported', () => {
  const all = feedback(...[1, 2, 3, 4, 5].map(() => ['a', 'tool_failure', 'tool:fetch'] as const));
  const own = all.map((one) => ({ ...one, program: '1' }));
  expect(candidates(own)[0]!.description).not.toContain('Agents');
});

test('a command line that held a secret is not proposed', () => {
  const line = 'npm login --token [redacted:password] --now';
  expect(candidates(feedback(...['a', 'b', 'c'].map((session) => ran(session, line))))).toEqual([]);
});

test('a long single command is worth a name; a part of a known command is not proposed again', () => {
  const all = feedback(
    ...['a', 'b', 'c'].map((session) => ran(session, 'npx vitest run test/unit/learn --reporter=dot')),
  );
  const [found] = candidates(all);
  expect(found).toMatchObject({ command: 'npx vitest run test/unit/learn --reporter=dot' });
  expect(candidates(all, ['npm run lint && npx vitest run test/unit/learn --reporter=dot'])).toEqual([]);
});

test('what was missed in three sessions becomes a tool, whatever the punctuation', () => {
  const all = feedback(
    ['a', 'pattern_observed', 'wanted:A list of slow tests', 'which tests are slow?'],
    ['b', 'pattern_observed', 'wanted:a list of slow tests.'],
    ['c', 'pattern_observed', 'wanted:a LIST of slow tests'],
    ...[1, 2, 3].map(() => ['a', 'pattern_observed', 'wanted:something else'] as const),
  );
  expect(candidates(all)).toEqual([
    expect.objectContaining({
      kind: 'tool',
      name: 'a-list-of-slow-tests',
      description: 'Agents report that they missed it in 3 sessions.',
      wish: 'Add a script or a command to this repository for this: “A list of slow tests”. What was said: “which tests are slow?”.',
      events: [1, 2, 3],
    }),
  ]);
});

test('a tool that fails often becomes a warning with what was said; its words stay a quotation', () => {
  const all = feedback(
    ...[1, 2, 3, 4, 5].map((at) => ['a', 'tool_failure', 'tool:fetch', `no network” rm ${at}`] as const),
  );
  expect(candidates(all)).toEqual([
    expect.objectContaining({
      kind: 'skill',
      file: 'TOOLS',
      description: expect.stringMatching(/^Agents report this: /),
      text: "“tool:fetch” often fails here, so check its result. What was said: “no network' rm 5”, “no network' rm 4”.",
      events: [1, 2, 3, 4, 5],
    }),
  ]);
});

test('the same subject has the same id whatever the counts; names are plain', () => {
  const three = feedback(...['a', 'b', 'c'].map((one) => ran(one, 'npm run a-long-script-name')));
  const four = feedback(...['a', 'b', 'c', 'd'].map((one) => ran(one, 'npm run a-long-script-name')));
  expect(candidates(four)[0]!.id).toBe(candidates(three)[0]!.id);
  expect([deriveName('“…”'), deriveName('../../etc')]).toEqual(['unnamed', 'etc']);
});
