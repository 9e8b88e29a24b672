// Through a session: dismissals, suppressions, the baseline, settings of rules and history decide what is shown,
// proposed, and first.

import { describe, expect, test } from 'vitest';
import type { Session, SessionEvent } from '../../../server/src/core/session.ts';
import { createSessionWorld, type SessionOptions, type SessionWorld } from '../../helpers/memorySessionPorts.ts';
import type { Commit } from '../../../server/src/core/ports/git.ts';

const operation = { signal: new AbortController().signal };
const DAY = 86_400_000;
const SEVEN = 'a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7';
/** `many-parameters` alone complains, with a figure of 7. */
const many = (name: string, more = ''): string =>
  `/** Adds all up, one for each day. */\nexport function ${name}(${SEVEN}${more}): number {\n  return a + b + c + d + e + f + g;\n}\n`;
/** `unused-local` complains, and a recipe helps. */
const unread = (name: string): string =>
  `/** Says how much more it is. */\nexport function ${name}(value: number): number {\n  const unused = 1;\n  return value + 1;\n}\n`;

/** With `many-parameters` on. */
async function analysed(world: SessionWorld, options: SessionOptions = {}): Promise<Session> {
  const session = await world.session({
    ...options,
    settings: {
      ...options.settings,
      'analysis.rules': { 'many-parameters': 'hint', ...options.settings?.['analysis.rules'] },
    },
  });
  await session.analysis.analyse(operation);
  return session;
}

/** `path:rule:severity` of what is shown, best first. */
const shown = async (session: Session) =>
  (await session.opportunities.shown()).map(({ path, rule, severity }) => `${path}:${rule}:${severity}`);
const hidden = async (session: Session) =>
  (await session.opportunities.listWithHidden()).hidden.map(
    ({ opportunity: { path, rule }, by, reason }) => `${path}:${rule} ${by}${reason === null ? '' : `: ${reason}`}`,
  );
const idIn = async (session: Session, path: string) => (await session.opportunities.shown([path]))[0]!.id;

describe('dismissal', () => {
  test('takes an opportunity from lists, texts and candidates, over restarts, until it is taken back', async () => {
    await using world = await createSessionWorld({ 'src/a.ts': unread('a'), 'src/b.ts': unread('b') });
    const session = await analysed(world);
    const events: SessionEvent[] = [];
    session.subscribe((event) => events.push(event));
    const id = await idIn(session, 'src/a.ts');
    const dismissal = await session.opportunities.dismiss({ opportunity: id, kind: 'notAProblem', reason: null });
    expect(dismissal).toMatchObject({ opportunity: id, rule: 'unused-local', path: 'src/a.ts', until: null });
    expect(events).toContainEqual({ type: 'opportunities', paths: ['src/a.ts'] });
    const again = await analysed(world);
    expect(await shown(again)).toEqual(['src/b.ts:unused-local:information']);
    expect(await hidden(again)).toEqual(['src/a.ts:unused-local dismissed: notAProblem']);
    expect((await again.texts.analyse('src/a.ts', unread('a'), operation.signal)).opportunities).toEqual([]);
    expect((await again.status()).opportunities).toEqual({ 'unused-local': 1 });
    expect((await again.proposals.propose(operation)).proposal?.opportunity.path).toBe('src/b.ts');
    await again.opportunities.undismiss(id);
    expect(await again.opportunities.dismissals()).toEqual([]);
    expect(await shown(again)).toHaveLength(2);
    await expect(again.opportunities.undismiss(id)).rejects.toMatchObject({ reason: 'notFound' });
  });

  test('takes it from what is being typed, too', async () => {
    await using world = await createSessionWorld({ 'src/a.ts': many('a') });
    const session = await analysed(world);
    const glance = async () =>
      (
        await session.texts.analyseWhileTyping('src/a.ts', `const typed = 1;\n${many('a')}`, operation.signal)
      ).opportunities.map(({ rule }) => rule);
    expect(await glance()).toContain('many-parameters');
    await session.opportunities.dismiss({ opportunity: await idIn(session, 'src/a.ts'), kind: 'wrong', reason: null });
    expect(await glance()).not.toContain('many-parameters');
  });

  test('an id of nothing is refused, and so is an own reason without words', async () => {
    await using world = await createSessionWorld({ 'src/a.ts': unread('a') });
    const session = await analysed(world);
    await expect(
      session.opportunities.dismiss({ opportunity: 'nothing', kind: 'wrong', reason: null }),
    ).rejects.toMatchObject({
      reason: 'notFound',
    });
    await expect(
      session.opportunities.dismiss({ opportunity: await idIn(session, 'src/a.ts'), kind: 'other', reason: '  ' }),
    ).rejects.toMatchObject({ reason: 'usage' });
    expect(await session.ledger.query({ types: ['opportunityDismissed'] })).toEqual([]);
    // Of a text that nobody saved, the caller says what it is.
    expect(
      await session.opportunities.dismiss({
        opportunity: 'unsaved',
        kind: 'wrong',
        reason: null,
        rule: 'nested-if',
        path: 'src/new.ts',
      }),
    ).toMatchObject({ rule: 'nested-if' });
  });

  test('"later" comes back after thirty days', async () => {
    await using world = await createSessionWorld({ 'src/a.ts': unread('a') });
    const session = await analysed(world);
    await session.opportunities.dismiss({ opportunity: await idIn(session, 'src/a.ts'), kind: 'later', reason: null });
    world.clock.advance(30 * DAY - 1);
    expect(await shown(session)).toEqual([]);
    world.clock.advance(1);
    expect(await shown(session)).toHaveLength(1);
  });

  test('a dozen of them teach: the rule is proposed no more where it stays, but is still shown', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `f${at}`);
    await using world = await createSessionWorld(
      Object.fromEntries(names.map((name) => [`src/${name}.ts`, unread(name)])),
    );
    const session = await analysed(world);
    const [last] = await session.opportunities.shown(['src/f19.ts']);
    const before = (await session.opportunities.explainRanks([last!]))[0]!;
    for (const name of names.slice(0, 14))
      await session.opportunities.dismiss({
        opportunity: await idIn(session, `src/${name}.ts`),
        kind: 'wrong',
        reason: null,
      });
    const after = (await session.opportunities.explainRanks([last!]))[0]!;
    expect(after.priority).toBeLessThan(before.priority);
    expect(after.sentence).toContain('14 decisions here lowered it');
    expect(await session.opportunities.shown()).toHaveLength(6);
    expect((await session.proposals.propose(operation)).proposal).toBeNull();
    expect((await session.proposals.propose({ ...operation, opportunity: last!.id })).proposal?.opportunity.id).toBe(
      last!.id,
    );
  });
});

test('what comments suppress is listed with its reason, is no candidate, and lowers the trust in the rule a little', async () => {
  await using world = await createSessionWorld({
    'src/a.ts': `// selfware-ignore-file unused-local: symmetry\n${unread('a')}`,
    'src/b.ts': many('b'),
  });
  const session = await analysed(world);
  expect(await shown(session)).toEqual(['src/b.ts:many-parameters:hint']);
  expect(await hidden(session)).toEqual(['src/a.ts:unused-local comment: symmetry']);
  expect((await session.proposals.propose(operation)).proposal).toBeNull();
  const suppressed = (await session.opportunities.listWithHidden()).hidden.map(({ opportunity }) => opportunity);
  expect((await session.opportunities.explainRanks(suppressed))[0]!.sentence).toContain('1 decision here lowered it');
});

describe('settings of rules', () => {
  const files = { 'src/a.ts': unread('a'), 'src/b.ts': many('b'), 'src/c.ts': many('c', ', h: 8, i: 9') };

  test.each<readonly [string, NonNullable<SessionOptions['settings']>, readonly string[]]>([
    [
      'none',
      {},
      ['src/a.ts:unused-local:information', 'src/c.ts:many-parameters:hint', 'src/b.ts:many-parameters:hint'],
    ],
    [
      'off',
      { 'analysis.rules': { 'unused-local': 'off' } },
      ['src/c.ts:many-parameters:hint', 'src/b.ts:many-parameters:hint'],
    ],
    [
      'a severity',
      { 'analysis.rules': { 'unused-local': 'warning', 'many-parameters': 'off' } },
      ['src/a.ts:unused-local:warning'],
    ],
    [
      'a limit',
      { 'analysis.rules': { 'many-parameters': { severity: 'warning', limit: 8 }, 'unused-local': 'off' } },
      ['src/c.ts:many-parameters:warning'],
    ],
    ['the older list', { 'rules.disabled': ['many-parameters'] }, ['src/a.ts:unused-local:information']],
  ])('%s', async (_, settings, expected) => {
    await using world = await createSessionWorld(files);
    const session = await analysed(world, { settings });
    expect(await shown(session)).toEqual(expected);
  });

  test('change neither the analysis nor the points', async () => {
    await using world = await createSessionWorld(files);
    const points = await (await analysed(world)).analysis.score();
    const strict = await world.session({
      settings: { 'analysis.rules': { 'many-parameters': 'off', 'unused-local': 'off' } },
    });
    expect((await strict.analysis.analyse(operation)).analysed).toBe(0);
    expect(await shown(strict)).toEqual([]);
    expect(await strict.analysis.score()).toEqual(points);
  });
});

describe('baseline', () => {
  const files = { 'src/a.ts': many('a'), 'src/b.ts': many('b') };

  test('hides what was there, over edits and moves; what comes new or grows is shown', async () => {
    await using world = await createSessionWorld(files);
    const session = await analysed(world);
    expect(await session.opportunities.baseline('create')).toMatchObject({
      path: '.selfware/baseline.json',
      entries: 2,
      held: 2,
      byRule: { 'many-parameters': 2 },
      fixed: [],
    });
    expect(await shown(session)).toEqual([]);
    expect(await hidden(session)).toEqual(['src/a.ts:many-parameters baseline', 'src/b.ts:many-parameters baseline']);
    expect(
      (await session.texts.analyse('src/a.ts', `const first = 1;\n${many('a')}console.log(first);\n`, operation.signal))
        .opportunities,
    ).toEqual([]);

    world.tree.set(
      'src/a.ts',
      `/** One more line. */\nexport const more = 1;\n${many('a').replace('a + b', 'b + a')}${many('fresh')}`,
    );
    world.tree.set('lib/b.ts', many('b'));
    world.tree.set('src/b.ts', null);
    await session.analysis.analyse(operation);
    expect(await shown(session)).toEqual(['src/a.ts:many-parameters:hint']);
    expect((await session.opportunities.shown())[0]?.symbol).toBe('fresh');

    world.tree.set('src/a.ts', many('a', ', h: 8, i: 9'));
    await session.analysis.analyse(operation);
    expect(await shown(session)).toEqual(['src/a.ts:many-parameters:hint']);
  });

  test('an update takes out what is fixed, and nothing comes in', async () => {
    await using world = await createSessionWorld(files);
    const session = await analysed(world);
    await session.opportunities.baseline('create');
    world.tree.set('src/a.ts', unread('a'));
    await session.analysis.analyse(operation);
    expect(await session.opportunities.baseline('show')).toMatchObject({
      entries: 2,
      held: 1,
      fixed: [{ path: 'src/a.ts', rule: 'many-parameters', symbol: 'a' }],
    });
    expect(await session.opportunities.baseline('update')).toMatchObject({ held: 1, fixed: [{ path: 'src/a.ts' }] });
    expect(await session.opportunities.baseline('show')).toMatchObject({ entries: 1, held: 1, fixed: [] });
    expect(await shown(session)).toEqual(['src/a.ts:unused-local:information']);
    await expect(session.opportunities.baseline('create')).rejects.toMatchObject({ reason: 'illegalStep' });
    expect(await session.opportunities.baseline('create', { force: true })).toMatchObject({ entries: 2 });
    expect(await session.opportunities.baseline('remove')).toBeNull();
    expect(world.tree.text('.selfware/baseline.json')).toBeNull();
    expect(await shown(session)).toHaveLength(2);
    for (const action of ['show', 'update', 'remove'] as const)
      await expect(session.opportunities.baseline(action)).rejects.toMatchObject({ reason: 'notFound' });
  });

  test('a damaged one hides nothing and is told once; the rest goes on', async () => {
    await using world = await createSessionWorld({ ...files, '.selfware/baseline.json': '<<<<<<< HEAD\n{' });
    const session = await analysed(world);
    expect(await shown(session)).toHaveLength(2);
    expect(await shown(session)).toHaveLength(2);
    const told = (await session.status()).notices.filter(({ message }) => message.includes('baseline.json'));
    expect(told).toMatchObject([{ severity: 'warning', message: expect.stringContaining('merge conflict') as string }]);
    await expect(session.opportunities.baseline('update')).rejects.toMatchObject({ reason: 'damaged' });
    expect(await session.opportunities.baseline('create', { force: true })).toMatchObject({ held: 2 });
    expect(await shown(session)).toEqual([]);
  });

  test('nothing is written to a workspace that is not trusted, and one that is there holds', async () => {
    await using world = await createSessionWorld(files);
    const untrusted = await analysed(world, { trusted: false });
    await expect(untrusted.opportunities.baseline('create')).rejects.toMatchObject({ reason: 'untrusted' });
    expect(world.tree.text('.selfware/baseline.json')).toBeNull();
    await (await analysed(world)).opportunities.baseline('create');
    const again = await analysed(world, { trusted: false });
    expect(await shown(again)).toEqual([]);
  });
});

test('files that .gitattributes calls generated are left alone, until it changes', async () => {
  await using world = await createSessionWorld({
    '.gitattributes': 'made/** linguist-generated\n',
    'made/a.ts': many('a'),
    'src/b.ts': many('b'),
  });
  const session = await analysed(world);
  expect(await shown(session)).toEqual(['src/b.ts:many-parameters:hint']);
  expect(await hidden(session)).toEqual(['made/a.ts:many-parameters generated: .gitattributes says so']);
  world.tree.set('.gitattributes', '# nothing\n');
  await session.analysis.analyse(operation);
  expect(await shown(session)).toHaveLength(2);
});

test('folders that a licence gives to somebody else are left alone, until it changes', async () => {
  await using world = await createSessionWorld({
    LICENSE: 'Copyright (c) 2020 Maria Ordinary\n',
    'fork/LICENSE': 'Copyright (c) Contoso Corporation\n',
    'fork/a.ts': many('a'),
    'src/b.ts': many('b'),
  });
  const session = await analysed(world);
  expect(await shown(session)).toEqual(['src/b.ts:many-parameters:hint']);
  expect(await hidden(session)).toEqual([
    'fork/a.ts:many-parameters generated: the licence of fork/ names another owner',
  ]);
  world.tree.set('fork/LICENSE', 'Copyright (c) 2021 Maria Ordinary\n');
  await session.analysis.analyse(operation);
  expect(await shown(session)).toHaveLength(2);
});

test('what changes often comes first, and the history is read once for each HEAD', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': many('a'), 'src/b.ts': many('b') });
  const commits: Commit[] = Array.from({ length: 8 }, (_, at) => ({
    hash: `${at}`,
    atMs: at * DAY,
    subject: '',
    paths: ['src/b.ts'],
  }));
  let reads = 0;
  const change: SessionOptions['change'] = ({ history }) => ({
    history: { ...history, commits: async () => (reads++, commits) },
  });
  const session = await analysed(world, { change });
  expect((await session.opportunities.shown()).map(({ path }) => path)).toEqual(['src/b.ts', 'src/a.ts']);
  expect(
    (await session.opportunities.explainRanks(await session.opportunities.shown()))[0]?.factors.find(
      ({ name }) => name === 'churn',
    ),
  ).toMatchObject({ because: '8 commits, recent ones count more' });
  await analysed(world, { change }).then((other) => other.opportunities.shown());
  expect(reads).toBe(1);
  world.git.setState({ head: '2'.repeat(40), branch: 'main' });
  await session.opportunities.shown();
  expect(reads).toBe(2);
});

test('suppressions of rules about several files hide them, and the idle ones are told', async () => {
  const helper = '/** Adds one more to it. */\nexport function more(value: number): number {\n  return value + 1;\n}\n';
  const spare =
    '/** Takes one away from it. */\nexport function less(value: number): number {\n  return value - 1;\n}\n';
  await using world = await createSessionWorld({
    'package.json': '{"name": "a", "private": true, "main": "src/main.ts"}',
    'src/main.ts': "import { more } from './tools.ts';\nconsole.log(more(1));\n",
    'src/tools.ts': `// selfware-ignore-next-line unused-export: also a plugin\n${helper}// selfware-ignore-next-line unused-export: a plugin loads it\n${spare}`,
  });
  const session = await analysed(world);
  expect((await session.opportunities.shown(['src/tools.ts'])).map(({ rule }) => rule)).toEqual(['unused-suppression']);
  expect((await session.opportunities.shown()).map(({ rule, range }) => `${rule}@${range.startLine}`)).toEqual([
    'unused-suppression@1',
  ]);
  expect(await hidden(session)).toEqual(['src/tools.ts:unused-export comment: a plugin loads it']);
  const off = await analysed(world, { settings: { 'analysis.rules': { 'unused-export': 'off' } } });
  expect(await off.opportunities.shown()).toEqual([]);
});

test('what is off is not proposed unasked; what somebody switched on is', async () => {
  const deep = `/** Finds it. */\nexport function find(rows: number[][][], wanted: number): string {\n  for (const row of rows) {\n    for (const cells of row) {\n      for (const cell of cells) {\n        if (cell > 0) {\n          if (cell === wanted) {\n            if (cells.length > 1) {\n              return \`\${cell}\`;\n            } else if (row.length > 1 && cell > 3 || cell < 9) {\n              return 'other';\n            }\n          }\n        }\n      }\n    }\n  }\n  return '';\n}\n`;
  const files = {
    'package.json': '{ "type": "module" }\n',
    'src/deep.ts': deep,
    'test/deep.test.ts': "import { find } from '../src/deep.ts';\nfind([], 1);\n",
  };
  const looked = async (settings: NonNullable<SessionOptions['settings']>) => {
    await using world = await createSessionWorld(files);
    const session = await world.session({ settings });
    await session.analysis.analyse({ signal: new AbortController().signal });
    const { proposal, tried } = await session.proposals.propose({ signal: new AbortController().signal });
    return [...tried.map(({ opportunity }) => opportunity), ...(proposal ? [proposal.opportunity.id] : [])].length;
  };
  expect(await looked({})).toBe(0);
  expect(await looked({ 'analysis.rules': { 'collapsible-if': 'hint' } })).toBeGreaterThan(0);
});
