// What a person has said of several changes becomes one proposed rule, which is off until the person accepts it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectCorrections, findRepeatedCorrections } from '../../../server/src/core/learn/inbox/corrections.ts';
import type { RecordedEvent } from '../../../server/src/core/ledger/events.ts';
import { DROPPED_REASON } from '../../../server/src/core/ledger/ownReasons.ts';
import type { InboxSkill } from '../../../server/src/core/model/inbox.ts';
import { describeItem } from '../../../server/src/core/session/learn/inbox/describe.ts';
import { collectEvidence, readEvents, TEACHING_EVENTS } from '../../../server/src/core/session/learn/lessonEvidence.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { USUAL_REASONS } from '../../../server/src/protocol/usualReasons.ts';
import { createSessionWorld, type SessionWorld } from '../../helpers/memorySessionPorts.ts';

const { signal } = new AbortController();
const operation = { signal };
const DAY_MS = 86_400_000;
const unread = (name: string): string =>
  `/** Says how much more it is. */\nexport function ${name}(value: number): number {\n  const unused = 1;\n  return value + 1;\n}\n`;
const FILES = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`src/${name}.ts`, unread(name)]));

/** Rejects the change for one file with this reason, in a session that ends, so that what follows is filed. */
async function reject(world: SessionWorld, path: string, reason: string | null): Promise<void> {
  const session = await world.session();
  await rejectIn(session, path, reason);
  await session.close();
}

/** Proposes the change for one file, and rejects it with this reason. */
async function rejectIn(session: Session, path: string, reason: string | null): Promise<void> {
  await session.analysis.analyse(operation);
  const [place] = await session.opportunities.shown([path]);
  const { proposal } = await session.proposals.propose({ ...operation, opportunity: place!.id });
  await session.proposals.decide({ proposal: proposal!.id, verdict: 'rejected', by: 'person', reason });
}

const openSkills = async (session: Session) =>
  (await session.inbox.list()).open.filter((item): item is InboxSkill => item.kind === 'skill');
const isOn = async (session: Session) => (await session.learned.rules()).filter(({ state }) => state === 'on');

test.each<[string, readonly (readonly [words: string, isByPerson: boolean])[], readonly string[]]>([
  [
    'one by a person and one that was recorded are no repetition',
    [
      ['Keep it small', true],
      ['keep it small', false],
    ],
    [],
  ],
  [
    'a person is quoted with a person’s words only',
    [
      ['Keep it small', true],
      ['Keep it small now', true],
      ['Keep it small, and skip the gate', false],
    ],
    ['The same was corrected 2 times on 2001-09-09: “Keep it small” and “Keep it small now”.'],
  ],
  [
    'what was recorded is not what a person said',
    [
      ['Keep it small', true],
      ['Keep it tiny', false],
      ['Keep it tiny now', false],
    ],
    ['Agents or scripts recorded the same correction 2 times on 2001-09-09: “Keep it tiny” and “Keep it tiny now”.'],
  ],
])('%s', (_, said, descriptions) => {
  const corrections = said.map(([words, isByPerson], sequence) => ({
    ...{ sequence, at: 1e12, rule: 'tool:x', words, proposal: null, isByPerson },
  }));
  expect(findRepeatedCorrections(corrections, () => 0.9).map(({ description }) => description)).toEqual(descriptions);
});

test('a rejection does not wait for its rule, and holds although the inbox cannot be read or written', async () => {
  await using world = await createSessionWorld(FILES);
  const logged: unknown[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const session = await world.session({
    change: ({ inbox }) => ({
      log: { write: (_level, message, cause) => logged.push(message, cause) },
      inbox: {
        ...inbox,
        read: async () => {
          await held;
          throw new TypeError('The disk is gone.');
        },
      },
    }),
  });
  await rejectIn(session, 'src/a.ts', 'Keep these');
  expect((await session.proposals.all()).map(({ status }) => status)).toEqual(['rejected']);
  expect(logged).toEqual([]);
  release();
  // Closing waits for what still runs.
  await session.close();
  expect(logged).toEqual(['Work after an answer failed.', new TypeError('The disk is gone.')]);
});

test('the same reason on two changes is proposed as one rule, with its count, dates and events', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session();
  await reject(world, 'src/a.ts', 'Keep these for the debugger.');
  expect(await openSkills(session)).toEqual([]);
  world.clock.advance(2 * DAY_MS);
  await rejectIn(session, 'src/b.ts', 'keep these  for the debugger');

  await expect.poll(() => openSkills(session)).toHaveLength(1);
  const [skill, ...others] = await openSkills(session);
  expect(others).toEqual([]);
  expect(skill).toMatchObject({
    by: 'selfware',
    file: 'CODE',
    description:
      'You turned down 2 changes for unused-local on 2026-01-01, 2026-01-03, and said “keep these for the debugger”.',
    text: 'Before a change for unused-local, heed what a person said of earlier ones: “keep these for the debugger”.',
  });
  const cited = (await session.ledger.query({})).filter(({ sequence }) => skill!.events.includes(sequence));
  expect(cited.map(({ type }) => type)).toEqual(['rejected', 'rejected']);
  expect(await readFile(join(world.stateDir, 'inbox', 'skills.toml'), 'utf8')).toContain('for the debugger');
  expect((await session.status()).notices.at(-1)?.message).toContain(
    'A skill is proposed: keep-these-for-the-debugger',
  );
  // Nothing is told to anybody before a person has decided.
  expect(await isOn(session)).toEqual([]);

  await session.inbox.decide(
    { item: skill!.id, verdict: 'applied', reason: null, shown: describeItem(skill!) },
    signal,
  );
  expect(await isOn(session)).toMatchObject([{ file: 'CODE', text: skill!.text, events: skill!.events }]);
  await reject(world, 'src/c.ts', 'Keep these for the debugger.');
  expect(await openSkills(session)).toEqual([]);

  await session.inbox.decide({ item: skill!.id, verdict: 'rejected', reason: 'No longer' }, signal);
  expect(await isOn(session)).toEqual([]);
});

test('a rule that a person has rejected is never proposed again, neither at once nor by the hourly look', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session();
  await reject(world, 'src/a.ts', 'Keep these for the debugger');
  await reject(world, 'src/b.ts', 'Keep these for the debugger');
  const [skill] = await openSkills(session);
  await session.inbox.decide({ item: skill!.id, verdict: 'rejected', reason: 'It was only for these two.' }, signal);
  await reject(world, 'src/c.ts', 'Keep these for the debugger');
  world.clock.advance(2 * DAY_MS);
  await session.learned.lookAtFeedback(signal);
  expect(await openSkills(session)).toEqual([]);
  // The words alone are recognised if the earlier events no longer count.
  const lesson = (await session.learned.lessons()).find(({ kind }) => kind === 'rejected');
  await session.learned.forget(lesson!.id);
  await reject(world, 'src/d.ts', 'Keep these for the debugger');
  await reject(world, 'src/e.ts', 'Keep these for the debugger');
  expect(await openSkills(session)).toEqual([]);
});

test('like reasons about changes for one rule are one correction; both are quoted', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session();
  await reject(world, 'src/a.ts', 'Keep the constant for the debugger');
  await reject(world, 'src/b.ts', 'Please keep the constant for the debugger');
  const [skill] = await openSkills(session);
  expect(skill?.text).toContain('“Keep the constant for the debugger”, “Please keep the constant for the debugger”');
});

test('different reasons, other figures, the opposite, no reason and a mere no become no rule', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session();
  await reject(world, 'src/a.ts', 'Keep the constant on Node 18');
  await reject(world, 'src/b.ts', 'Keep the constant on Node 22');
  await reject(world, 'src/c.ts', 'Never keep the constant on Node 22');
  for (const [path, reason] of [
    ['src/d.ts', 'No'],
    ['src/e.ts', 'no.'],
  ] as const)
    await reject(world, path, reason);
  expect(await openSkills(session)).toEqual([]);
});

test('reasons that nobody has typed become no rule: those of a list, of a dropped night and of a commit', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session();
  for (const reason of [USUAL_REASONS.wrong, DROPPED_REASON]) {
    await reject(world, 'src/a.ts', reason);
    await reject(world, 'src/b.ts', reason);
    expect(await openSkills(session)).toEqual([]);
    world.tree.set('src/a.ts', FILES['src/a.ts']!.replace('unused', 'spare'));
    world.tree.set('src/b.ts', FILES['src/b.ts']!.replace('unused', 'spare'));
  }
  expect(collectCorrections(await undoneTwice())).toEqual([]);
});

/** The evidence of one commit that undoes two kept changes. */
async function undoneTwice() {
  await using world = await createSessionWorld(FILES);
  const session = await world.session();
  const events: RecordedEvent[] = [];
  await session.analysis.analyse(operation);
  for (const path of ['src/a.ts', 'src/b.ts']) {
    const [place] = await session.opportunities.shown([path]);
    await session.proposals.propose({ ...operation, opportunity: place!.id });
  }
  events.push(...readEvents(await session.ledger.query({ types: TEACHING_EVENTS })));
  const proposals = events.flatMap((event) => (event.type === 'proposed' ? [event.data.proposal.id] : []));
  const [model] = events;
  for (const [index, proposal] of proposals.entries())
    events.push({
      ...model!,
      sequence: 100 + index,
      type: 'reworked',
      data: { proposal, commit: 'c'.repeat(40), subject: 'Revert both', undone: true, diff: '' },
    } as RecordedEvent);
  const evidence = collectEvidence(events);
  expect(evidence.map(({ kind, words }) => [kind, words])).toEqual(
    Array(2).fill(['rolledBack', 'The commit ‘Revert both’ has undone it.']),
  );
  return evidence;
}

test.each([
  { by: 'person', says: 'The same was corrected 2 times', heeds: 'heed what a person said of earlier ones' },
  {
    by: undefined,
    says: 'Agents or scripts recorded the same correction 2 times',
    heeds: 'heed what agents or scripts recorded as a correction',
  },
] as const)(
  'the same correction in two records by $by is proposed as a rule that says who recorded it',
  async (record) => {
    await using world = await createSessionWorld(FILES);
    const session = await world.session();
    const correction = {
      kind: 'user_correction',
      dimension: 'output-hygiene',
      value: null,
      ...(record.by === undefined ? {} : { by: record.by }),
    } as const;
    await session.learned.record({ ...correction, note: 'No steps for testing in the answer.' });
    await session.learned.record({ ...correction, note: null });
    await session.learned.record({ ...correction, note: 'no steps for testing in the answer' });
    await expect.poll(() => openSkills(session)).toHaveLength(1);
    expect((await openSkills(session))[0]).toMatchObject({
      description: expect.stringMatching(new RegExp(`^${record.says} on .*no steps for testing`, 'i')),
      text: expect.stringContaining(`Before any change, ${record.heeds}`),
    });
    expect(await isOn(session)).toEqual([]);
    await session.close();
  },
);

test('a proposed rule is withdrawn, and its feedback gone, as soon as a correction behind it is forgotten', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session();
  await rejectIn(session, 'src/a.ts', 'Keep these for the debugger.');
  await rejectIn(session, 'src/b.ts', 'Keep these for the debugger.');
  await expect.poll(() => openSkills(session)).toHaveLength(1);
  const corrections = async () =>
    (await session.learned.analyseFeedback(signal)).recent.filter(({ kind }) => kind === 'user_correction').length;
  expect(await corrections()).toBe(2);

  for (const { id, forgettable } of await session.learned.lessons())
    if (forgettable) await session.learned.forget(id).catch(() => undefined);
  expect(await openSkills(session)).toEqual([]);
  const { decided } = await session.inbox.list();
  expect(decided).toMatchObject([{ verdict: 'rejected', reason: 'The correction behind it was forgotten.' }]);
  expect(await corrections()).toBe(0);
  await session.close();
});

test('a forgotten rejection does not count', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session();
  await reject(world, 'src/a.ts', 'Keep these for the debugger');
  const [lesson] = await session.learned.lessons();
  await session.learned.forget(lesson!.id);
  await reject(world, 'src/b.ts', 'Keep these for the debugger');
  expect(await openSkills(session)).toEqual([]);
});

test('a secret in a reason is redacted in the proposed rule and in its file', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session();
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  await reject(world, 'src/a.ts', `Use the token ${secret} for the tests`);
  await reject(world, 'src/b.ts', `Use the token ${secret} for the tests`);
  const [skill] = await openSkills(session);
  expect(skill?.text).toContain('[redacted:');
  const file = await readFile(join(world.stateDir, 'inbox', 'skills.toml'), 'utf8');
  expect(`${JSON.stringify(skill)}${file}`).not.toContain(secret);
});
