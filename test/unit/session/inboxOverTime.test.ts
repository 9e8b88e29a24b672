// Looks at the feedback over weeks, and what becomes of open proposals whose file somebody has broken: nothing is lost,
// and nothing is told twice.

import { readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Session } from '../../../server/src/core/session.ts';
import type { FeedbackKind } from '../../../server/src/core/model/feedback.ts';
import { createSessionWorld, type SessionWorld } from '../../helpers/memorySessionPorts.ts';

const { signal } = new AbortController();
const HOUR_MS = 3_600_000;

const record = (session: Session, whose: string, dimension: string, kind: FeedbackKind) =>
  session.learned.record({ session: whose, kind, dimension, value: null, note: null });

/** The next look at the feedback, after the longest pause between two looks. */
async function nextCycle({ clock }: SessionWorld, session: Session): Promise<void> {
  clock.advance(24 * HOUR_MS);
  await session.learned.lookAtFeedback(signal);
}

const inbox = (world: SessionWorld, ...name: string[]) => join(world.stateDir, 'inbox', ...name);
const apply = (session: Session, item: string, mayWrite: boolean) =>
  session.inbox.decide({ item, verdict: 'applied', reason: null, mayWrite }, signal);
const reject = (session: Session, item: string, reason: string) =>
  session.inbox.decide({ item, verdict: 'rejected', reason }, signal);

test('open proposals outlive a broken file: once it is moved away, they are listed, decided and written again', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  await record(session, 'a', 'x', 'pattern_observed');
  const base = { kind: 'command', description: 'It is run all the time.', events: [1] } as const;
  for (const command of ['git log --oneline', 'git status --short', 'git diff --stat']) {
    await session.inbox.propose({ ...base, name: command.split(' ')[1]!, command }, signal);
    world.clock.advance(HOUR_MS);
  }
  const { open } = await session.inbox.list();
  expect(open).toHaveLength(3);
  const file = inbox(world, 'commands.toml');
  await writeFile(file, `${await readFile(file, 'utf8')}x = [[`);
  await expect(session.inbox.list()).rejects.toMatchObject({
    reason: 'damaged',
    action: expect.stringContaining('listed from the ledger'),
  });
  await rename(file, `${file}.broken`);
  expect((await session.inbox.list()).open).toEqual(open);
  await reject(session, open[0]!.id, 'Not needed');
  expect((await session.inbox.list()).open.map(({ id }) => id)).toEqual([open[1]!.id, open[2]!.id]);
  const text = await readFile(file, 'utf8');
  expect(['git log', 'git status', 'git diff'].map((command) => text.includes(command))).toEqual([false, true, true]);
  const [day] = await readdir(inbox(world, 'rejected'));
  expect(await readFile(inbox(world, 'rejected', day!), 'utf8')).toContain('git log --oneline');
  // A file that was repaired without one of its proposals has lost nothing either.
  await writeFile(file, '');
  expect((await session.inbox.list()).open.map(({ id }) => id)).toEqual([open[1]!.id, open[2]!.id]);
  await apply(session, open[1]!.id, true);
  expect(await session.inbox.commands()).toEqual([expect.objectContaining({ command: 'git status --short' })]);
});

test('if nothing goes wrong, the rules are compared in the 24th look, too', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  for (const text of [
    'Return early instead of nesting conditions.',
    'Return early instead of nesting all conditions.',
  ]) {
    const { version } = await session.learned.readRules('CODE');
    await session.learned.writeRule({ file: 'CODE', version, text, by: 'person', events: [] });
  }
  for (let cycle = 1; cycle < 24; cycle += 1) await nextCycle(world, session);
  expect((await session.inbox.list()).open).toEqual([]);
  await nextCycle(world, session);
  expect((await session.inbox.list()).open.map(({ kind }) => kind)).toEqual(['skill']);
});

test('a finding is told once: not again when another ends, and not hidden behind three others', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  const collectTold = async () => {
    const before = (await session.status()).notices.length;
    await nextCycle(world, session);
    const notices = (await session.status()).notices.slice(before);
    return notices.flatMap(({ message }) => message.match(/\w+(?=\W* was corrected)/g) ?? []);
  };
  const correct = async (dimension: string) => {
    for (let at = 0; at < 3; at += 1) await record(session, 'a', dimension, 'user_correction');
  };
  for (const dimension of ['a1', 'a2', 'a3', 'a4']) await correct(dimension);
  expect(await collectTold()).toEqual(['a1', 'a2', 'a3']);
  expect(await collectTold()).toEqual(['a4']);
  await correct('z');
  expect(await collectTold()).toEqual(['z']);
  // After a week, the first four have ended.
  for (let day = 0; day < 5; day += 1) expect(await collectTold()).toEqual([]);
  expect((await session.learned.analyseFeedback(signal)).findings.map(({ dimension }) => dimension)).toEqual(['z']);
});
