// Proposals of commands, skills and tools through a whole session: what is filed, what a decision does, and what
// becomes of a file that somebody has broken.

import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Session } from '../../../server/src/core/session.ts';
import { describeItem } from '../../../server/src/core/session/learn/inbox/describe.ts';
import type { FeedbackKind } from '../../../server/src/core/model/feedback.ts';
import { createSessionWorld, type SessionWorld } from '../../helpers/memorySessionPorts.ts';

const { signal } = new AbortController();
const operation = { signal };
const HOUR_MS = 3_600_000;
const LINE = 'npm run lint && npm test';

const record = (session: Session, whose: string, dimension: string, kind: FeedbackKind = 'tool_success') =>
  session.learned.record({ session: whose, kind, dimension, value: null, note: null });

/** Three sessions in which the same two commands were run. */
async function repeat(session: Session): Promise<void> {
  for (const whose of ['a', 'b', 'c'])
    for (const line of ['npm run lint', 'npm test']) await record(session, whose, `command:${line}`);
}

/** The next look at the feedback, after the longest pause between two looks. */
async function nextCycle({ clock }: SessionWorld, session: Session): Promise<void> {
  clock.advance(24 * HOUR_MS);
  await session.learned.lookAtFeedback(signal);
}

const inbox = (world: SessionWorld, ...name: string[]) => join(world.stateDir, 'inbox', ...name);
const apply = (session: Session, item: string, mayWrite = false) =>
  session.inbox.decide({ item, verdict: 'applied', reason: null, mayWrite }, signal);
const reject = (session: Session, item: string, reason: string | null) =>
  session.inbox.decide({ item, verdict: 'rejected', reason }, signal);

test('repeated commands are filed once, run in the sandbox once they are applied, and not proposed again', async () => {
  await using world = await createSessionWorld(
    { 'a.txt': '' },
    { commands: { [`bash -c ${LINE}`]: () => ({ stdout: 'fine\n' }) } },
  );
  const session = await world.session();
  await repeat(session);
  await session.learned.lookAtFeedback(signal);
  const { open } = await session.inbox.list();
  expect(open).toEqual([
    expect.objectContaining({ kind: 'command', command: LINE, effects: 'unknown', by: 'selfware' }),
  ]);
  const events = await session.ledger.query({});
  const known = new Set(events.map(({ sequence }) => sequence));
  expect(open[0]!.events.every((sequence) => known.has(sequence))).toBe(true);
  expect(await readFile(inbox(world, 'commands.toml'), 'utf8')).toContain(`command = "${LINE}"`);
  expect((await session.status()).notices.at(-1)).toMatchObject({
    message: expect.stringContaining('A command is proposed'),
  });
  await expect(session.inbox.run(open[0]!.name, operation)).rejects.toMatchObject({ reason: 'notFound' });

  await expect(apply(session, open[0]!.id)).rejects.toMatchObject({
    reason: 'usage',
    action: expect.stringContaining('--may-write'),
  });
  await apply(session, open[0]!.id, true);
  expect(await session.inbox.commands()).toEqual([expect.objectContaining({ command: LINE })]);
  expect(await session.inbox.run(open[0]!.name, operation)).toEqual({
    command: LINE,
    exitCode: 0,
    ended: null,
    stdout: 'fine\n',
    stderr: '',
  });
  expect(world.sandbox.ran).toEqual([`bash -c ${LINE}`]);
  expect(world.sandbox.openCount()).toBe(0);
  expect(await readFile(inbox(world, 'applied', '2026-01-01.toml'), 'utf8')).toContain(`command = "${LINE}"`);

  await repeat(session);
  await nextCycle(world, session);
  expect((await session.inbox.list()).open).toEqual([]);

  await expect(reject(session, open[0]!.id, ' ')).rejects.toMatchObject({ reason: 'usage' });
  expect(await reject(session, open[0]!.id, 'It is slow')).toMatchObject({ verdict: 'withdrawn' });
  expect(await session.inbox.commands()).toEqual([]);
  await expect(session.inbox.run(open[0]!.name, operation)).rejects.toMatchObject({ reason: 'notFound' });
  expect(await readFile(inbox(world, 'rejected', '2026-01-02.toml'), 'utf8')).toContain('reason = "It is slow"');
  await nextCycle(world, session);
  expect((await session.inbox.list()).open).toEqual([]);
});

test('a destructive command is never proposed, whoever repeats or proposes it', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  for (const whose of ['a', 'b', 'c']) await record(session, whose, 'command:rm -rf build/everything-in-it');
  await session.learned.lookAtFeedback(signal);
  expect((await session.inbox.list()).open).toEqual([]);
  const proposal = { kind: 'command', name: 'x', description: 'It is run all the time.', events: [1] } as const;
  for (const command of ['git push --force', 'echo x > a.txt', 'ls "'])
    await expect(session.inbox.propose({ ...proposal, command }, signal)).rejects.toMatchObject({ reason: 'usage' });
  // A person who edits the file does not get around the parser.
  await session.inbox.propose({ ...proposal, command: 'git log --oneline' }, signal);
  const text = await readFile(inbox(world, 'commands.toml'), 'utf8');
  await writeFile(inbox(world, 'commands.toml'), text.replace('git log --oneline', 'git push'));
  const [item] = (await session.inbox.list()).open;
  await expect(apply(session, item!.id, true)).rejects.toMatchObject({
    message: expect.stringContaining('git push is not allowed'),
  });
  // Nor does whoever edits it after a person was shown the item.
  await writeFile(inbox(world, 'commands.toml'), text);
  const [shown] = (await session.inbox.list()).open;
  await writeFile(inbox(world, 'commands.toml'), text.replace('git log --oneline', 'git status'));
  const decision = { item: shown!.id, verdict: 'applied', reason: null, shown: describeItem(shown!) } as const;
  await expect(session.inbox.decide(decision, signal)).rejects.toMatchObject({ reason: 'stale' });
  expect((await session.inbox.list()).open).toHaveLength(1);
});

test('an agent’s proposal needs events that exist, is not filed twice, and comes at most once an hour', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  await record(session, 'a', 'output-hygiene', 'user_correction');
  const skill = {
    kind: 'skill',
    name: 'Hygiene',
    description: 'The person said so.',
    file: 'SOUL',
    text: 'Leave testing steps out of answers.',
    events: [1],
  } as const;
  for (const [change, reason] of [
    [{ events: [] }, 'usage'],
    [{ events: [999] }, 'usage'],
    [{ text: 'Short.' }, 'usage'],
    [{ description: 'x' }, 'usage'],
  ] as const)
    await expect(session.inbox.propose({ ...skill, ...change }, signal)).rejects.toMatchObject({ reason });
  const { id } = await session.inbox.propose(skill, signal);
  await expect(session.inbox.propose(skill, signal)).rejects.toMatchObject({ reason: 'conflict' });
  const other = { ...skill, text: 'Name the file that was changed first.' };
  await expect(session.inbox.propose(other, signal)).rejects.toMatchObject({ reason: 'forbidden' });
  world.clock.advance(HOUR_MS);
  await session.inbox.propose(other, signal);

  await apply(session, id);
  const rules = async () =>
    (await session.learned.rules()).filter(({ state }) => state === 'on').map(({ text }) => text);
  expect(await rules()).toEqual(['Leave testing steps out of answers.']);
  await reject(session, id, 'It was a mistake');
  expect(await rules()).toEqual([]);
  await expect(session.inbox.propose(skill, signal)).rejects.toMatchObject({
    reason: 'conflict',
    message: expect.stringContaining('withdrawn'),
  });
});

test('a missing tool becomes a wish, and no longer is one when it is taken back', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  for (const whose of ['a', 'b', 'c']) await record(session, whose, 'wanted:a list of slow tests', 'pattern_observed');
  await session.learned.lookAtFeedback(signal);
  const [item] = (await session.inbox.list()).open;
  await apply(session, item!.name);
  const wishes = async () =>
    (await session.ledger.query({ types: ['wishAdded', 'wishDropped'] })).map(({ type }) => type);
  expect(await wishes()).toEqual(['wishAdded']);
  expect(await reject(session, item!.id, 'Not needed')).not.toHaveProperty('note');
  expect(await wishes()).toEqual(['wishAdded', 'wishDropped']);
});

test.each([
  ['shortly before', 2_000, 1],
  ['long before', 61_000, 0],
])(
  'the wish that an older version has added %s the tool was applied is dropped, or it is said that none was',
  async (_when, before, drops) => {
    await using world = await createSessionWorld({ 'a.txt': '' });
    let session = await world.session();
    for (const whose of ['a', 'b', 'c'])
      await record(session, whose, 'wanted:a list of slow tests', 'pattern_observed');
    await session.learned.lookAtFeedback(signal);
    const [item] = (await session.inbox.list()).open;
    const wish = item?.kind === 'tool' ? item.wish : '';
    const at = world.clock.now();
    let stored: unknown = null;
    session = await world.session({
      change: ({ ledger }) => {
        const older = { id: 'older', at: at - before, type: 'wishAdded', data: { wish: 'w-1a2b3c4d', text: wish } };
        const data = { item, verdict: 'applied', reason: null };
        stored = ledger.append(older).then(() => ledger.append({ id: 'applied', at, type: 'inboxDecided', data }));
        return {};
      },
    });
    await stored;
    const { note } = await reject(session, item!.id, 'Not needed');
    const dropped = await session.ledger.query({ types: ['wishDropped'] });
    expect(dropped.map(({ data }) => data)).toEqual(drops === 0 ? [] : [{ wish: 'w-1a2b3c4d' }]);
    if (drops === 0) expect(note).toContain('No wish was dropped');
    else expect(note).toBeUndefined();
  },
);

test('a wish that a person had before stays when the tool that asks for the same is taken back', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  let session = await world.session();
  for (const whose of ['a', 'b', 'c']) await record(session, whose, 'wanted:a list of slow tests', 'pattern_observed');
  await session.learned.lookAtFeedback(signal);
  const [item] = (await session.inbox.list()).open;
  const text = item?.kind === 'tool' ? item.wish : '';
  let stored: unknown = null;
  session = await world.session({
    change: ({ ledger }) => {
      stored = ledger.append({ id: 'own', at: 1, type: 'wishAdded', data: { wish: 'w-own', text } });
      return {};
    },
  });
  await stored;
  await apply(session, item!.name);
  await reject(session, item!.id, 'Not needed');
  const events = await session.ledger.query({ types: ['wishAdded', 'wishDropped'] });
  expect(events.map(({ type, data }) => [type, data])).toEqual([['wishAdded', { wish: 'w-own', text }]]);
});

test('one is filed in a cycle; rules are compared in the 24th, and merged only by a person', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  const write = async (text: string) => {
    const { version } = await session.learned.readRules('CODE');
    await session.learned.writeRule({ file: 'CODE', version, text, by: 'person', events: [] });
  };
  await write('Return early instead of nesting conditions.');
  await write('Return early instead of nesting all conditions.');
  await repeat(session);
  for (const whose of ['a', 'b', 'c']) await record(session, whose, 'wanted:a list of slow tests', 'pattern_observed');
  const kinds = async () => (await session.inbox.list()).open.map(({ kind }) => kind).sort();
  await session.learned.lookAtFeedback(signal);
  expect(await kinds()).toEqual(['command']);
  await nextCycle(world, session);
  expect(await kinds()).toEqual(['command', 'tool']);
  for (let cycle = 3; cycle < 24; cycle += 1) await nextCycle(world, session);
  expect(await kinds()).toEqual(['command', 'tool']);
  await nextCycle(world, session);
  expect(await kinds()).toEqual(['command', 'skill', 'tool']);
  const states = async () => (await session.learned.rules()).map(({ state }) => state);
  expect(await states()).toEqual(['on', 'on']);
  const merge = (await session.inbox.list()).open.find(({ kind }) => kind === 'skill');
  await apply(session, merge!.id);
  expect(await states()).toEqual(['on', 'off']);
  await reject(session, merge!.id, 'Both are needed');
  expect(await states()).toEqual(['on', 'on']);
});

test('a broken inbox is reported with its line, kept as it is, and stops neither the session nor its feedback', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  await repeat(session);
  await mkdir(inbox(world), { recursive: true });
  const broken = '# mine\n[[proposal]]\nid = nothing\n';
  await writeFile(inbox(world, 'commands.toml'), broken);
  await session.learned.lookAtFeedback(signal);
  const place = inbox(world, 'commands.toml');
  expect((await session.status()).notices).toContainEqual(
    expect.objectContaining({ severity: 'error', message: expect.stringContaining(`${place}, line 3: `) }),
  );
  await expect(session.inbox.list()).rejects.toMatchObject({ reason: 'damaged' });
  const proposal = { kind: 'command', name: 'x', description: 'It is run all the time.', events: [1] } as const;
  await expect(session.inbox.propose({ ...proposal, command: 'git log' }, signal)).rejects.toMatchObject({
    reason: 'damaged',
  });
  expect(await readFile(place, 'utf8')).toBe(broken);
  expect(await session.ledger.query({ types: ['inboxFiled'] })).toEqual([]);
  expect(await session.ledger.query({ types: ['feedbackLooked'] })).toHaveLength(1);
  await expect(world.session()).resolves.toBeDefined();
});

test('what a killed process has left is put right with the next decision', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  await repeat(session);
  await session.learned.lookAtFeedback(signal);
  const before = await readFile(inbox(world, 'commands.toml'), 'utf8');
  const [item] = (await session.inbox.list()).open;
  await reject(session, item!.id, 'No');
  // As if the process had died after it recorded the decision.
  await writeFile(inbox(world, 'commands.toml'), before);
  expect((await session.inbox.list()).open).toEqual([]);
  await session.inbox.propose(
    { kind: 'command', name: 'log', description: 'It is run all the time.', events: [1], command: 'git log' },
    signal,
  );
  await apply(session, 'log');
  expect(await readFile(inbox(world, 'commands.toml'), 'utf8')).not.toContain('[[proposal]]');
  expect(await readdir(inbox(world, 'rejected'))).toEqual(['2026-01-01.toml']);
  const archive = await readFile(inbox(world, 'rejected', '2026-01-01.toml'), 'utf8');
  expect(archive.match(/\[\[proposal\]\]/g)).toHaveLength(1);
  world.held.add('inbox');
  await expect(reject(session, 'log', 'No')).rejects.toMatchObject({ reason: 'locked' });
});

test('an untrusted workspace, a stopped one and a command of an older version do not run', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' }, { commands: { 'bash -c git log': () => ({}) } });
  const session = await world.session();
  await record(session, 'a', 'x', 'pattern_observed');
  const base = { kind: 'command', name: 'log', description: 'It is run all the time.', events: [1] } as const;
  await session.inbox.propose({ ...base, command: 'git log' }, signal);
  await apply(session, 'log');
  const untrusted = await world.session({ trusted: false });
  await expect(untrusted.inbox.run('log', operation)).rejects.toMatchObject({ reason: 'untrusted' });
  const bare = await world.session({
    change: ({ sandbox }) => ({
      sandbox: { ...sandbox, isolation: async () => ({ kind: 'none', confined: false, tried: [] }) },
    }),
  });
  await expect(bare.inbox.run('log', operation)).rejects.toMatchObject({ reason: 'forbidden' });
  await session.stop();
  await expect(session.inbox.run('log', operation)).rejects.toMatchObject({ reason: 'forbidden' });
  expect(world.sandbox.ran).toEqual([]);
});

test('an id comes before a name, a name is given once, and another broken file does not stop a take-back', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  await record(session, 'a', 'x', 'pattern_observed');
  const base = { description: 'It is run all the time.', events: [1] } as const;
  const propose = (name: string, command: string) => {
    world.clock.advance(HOUR_MS);
    return session.inbox.propose({ ...base, kind: 'command', name, command }, signal);
  };
  const first = await propose('log', 'git log');
  const second = await propose('log', 'git status');
  const third = await propose(first.id, 'git diff');
  expect([first.name, second.name]).toEqual(['log', `log${second.id.slice(1)}`]);
  expect(third.name).toBe(`${first.id}${third.id.slice(1)}`);
  await apply(session, first.id);
  // A person may still write the name into the file.
  const file = await readFile(inbox(world, 'commands.toml'), 'utf8');
  await writeFile(inbox(world, 'commands.toml'), file.replace(second.name, 'log').replace(third.name, first.id));
  await expect(reject(session, 'log', 'No')).rejects.toMatchObject({ message: expect.stringContaining('Several') });
  await writeFile(inbox(world, 'tools.toml'), 'broken');
  expect(await reject(session, first.id, 'No')).toMatchObject({ verdict: 'withdrawn', item: { id: first.id } });
});

test('taking a skill back undoes only what applying it has done', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  await record(session, 'a', 'x', 'user_correction');
  const skill = { kind: 'skill', name: 'x', description: 'The person said so.', file: 'SOUL', events: [1] } as const;
  const text = 'Leave testing steps out of answers.';
  const { version } = await session.learned.readRules('SOUL');
  await session.learned.writeRule({ file: 'SOUL', version, text, by: 'person', events: [] });
  const { id } = await session.inbox.propose({ ...skill, text }, signal);
  await apply(session, id);
  await reject(session, id, 'The person has said it before');
  expect((await session.learned.rules()).map(({ state }) => state)).toEqual(['on']);
});

test('a command that an older version took to only read needs the permission to write', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' }, { commands: { 'bash -c sort -o a b': () => ({}) } });
  const older = await world.session({
    change: ({ jobs }) => ({
      jobs: { ...jobs, run: (async () => ({ effects: 'none' })) as unknown as typeof jobs.run },
    }),
  });
  await record(older, 'a', 'x', 'pattern_observed');
  const proposal = { kind: 'command', name: 'x', description: 'It is run all the time.', events: [1] } as const;
  await older.inbox.propose({ ...proposal, command: 'sort -o a b' }, signal);
  await apply(older, 'x');
  const session = await world.session();
  await expect(session.inbox.run('x', operation)).rejects.toMatchObject({
    action: expect.stringContaining('--may-write'),
  });
  await apply(session, 'x', true);
  expect(await session.inbox.run('x', operation)).toMatchObject({ exitCode: 0 });
});

test('what is not seen is escaped in what a person is shown', () => {
  const item = {
    kind: 'tool',
    id: 't-00000000',
    name: 'x',
    description: 'a\nb\u202Ec',
    by: 'agent',
    events: [1],
  } as const;
  expect(describeItem({ ...item, wish: 'y' }).join('\n')).toContain('a b\\u202ec');
});
