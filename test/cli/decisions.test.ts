// The command line from a list of opportunities to what is left of it: suppressed, dismissed, accepted by a baseline,
// set by the team.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const unread = (name: string, more = ''): string =>
  `/** Says how much more it is. */\nexport function ${name}(value: number): number {\n  const unused = 1;${more}\n  return value + 1;\n}\n`;
const MANY =
  '/** Adds all up, one for each day. */\nexport function many(a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7): number {\n  return a + b + c + d + e + f + g;\n}\n';

let repository: Awaited<ReturnType<typeof createTemporaryRepository>>;
let selfware: CommandLine;
beforeEach(async () => {
  repository = await createTemporaryRepository({
    'src/a.ts': unread('a'),
    'src/b.ts': unread('b', ' // selfware-ignore unused-local: kept for the debugger'),
    'src/c.ts': MANY,
  });
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
});
afterEach(async () => {
  await selfware.dispose();
  await repository.dispose();
});

/** Exit code, then `path:rule` and what hides it. */
async function listed(...args: string[]): Promise<readonly (string | number | null)[]> {
  const { code, value } = await selfware.json<
    { path: string; rule: string; hidden?: { by: string; reason: string | null } }[]
  >(['analyse', ...args]);
  return [
    code,
    ...value.map(({ path, rule, hidden }) => `${path}:${rule}${hidden ? ` ${hidden.by}: ${hidden.reason}` : ''}`),
  ];
}

test('what is shown, what is hidden, and why a rank is what it is', async () => {
  expect(await listed()).toEqual([1, 'src/a.ts:unused-local']);
  expect(await listed('--suppressed')).toEqual([1, 'src/b.ts:unused-local comment: kept for the debugger']);
  expect(await listed('--all')).toEqual([
    1,
    'src/a.ts:unused-local',
    'src/b.ts:unused-local comment: kept for the debugger',
    'src/c.ts:many-parameters quiet: null',
  ]);
  expect(await listed('--rule', 'many-parameters')).toEqual([1, 'src/c.ts:many-parameters']);
  expect(await listed('src/c.ts')).toEqual([0]);
  const { value } = await selfware.json<{ why: { priority: number; sentence: string; factors: { name: string }[] } }[]>(
    ['analyse', '--limit', '1'],
  );
  expect(value[0]?.why.factors.map(({ name }) => name)).toEqual([
    'impact',
    'centrality',
    'churn',
    'complexity',
    'confidence',
    'cost',
  ]);
  const { stdout } = await selfware.run(['analyse', '--why']);
  expect(stdout).toContain(value[0]!.why.sentence);
  expect(stdout).toContain('1 commit, recent ones count more');
  expect(stdout).toContain('Not shown: 1 suppressed in the code.');
  const unknown = await selfware.run(['analyse', '--rule', 'no-such-rule']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('There is no rule no-such-rule.')]);
});

test('dismiss and undismiss', async () => {
  const [{ id }] = (await selfware.json<[{ id: string }]>(['analyse'])).value;
  const refused = await selfware.run(['dismiss', id]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Why is it dismissed?')]);
  expect(
    (await selfware.json(['dismiss', id.slice(0, 8), '--reason', 'Wrong: it is read by the debugger'])).value,
  ).toMatchObject({
    opportunity: id,
    kind: 'wrong',
    reason: 'it is read by the debugger',
    rule: 'unused-local',
    path: 'src/a.ts',
    until: null,
  });
  expect(await listed()).toEqual([0]);
  expect((await selfware.json(['dismiss', '--list'])).value).toMatchObject([{ opportunity: id, kind: 'wrong' }]);
  expect((await selfware.run(['undismiss', id.slice(0, 8)])).code).toBe(0);
  expect(await listed()).toEqual([1, 'src/a.ts:unused-local']);
  expect((await selfware.run(['undismiss', id])).code).toBe(2);
  expect((await selfware.run(['dismiss', 'nothing-like-it', '--reason', 'fine'])).code).toBe(2);
});

thoroughTest('a baseline accepts what is there, in a file that git sees; only what is new is shown', async () => {
  expect((await selfware.json(['baseline', 'create'])).value).toMatchObject({
    entries: 1,
    held: 1,
    byRule: { 'unused-local': 1 },
  });
  expect((await repository.git('status', '--porcelain', '--untracked-files=all')).trim()).toBe(
    '?? .selfware/baseline.json',
  );
  expect(await listed()).toEqual([0]);
  await repository.write('src/a.ts', `\n\n${unread('a').replace('value + 1', 'value + 2')}${unread('fresh')}`);
  expect(await listed()).toEqual([1, 'src/a.ts:unused-local']);
  expect(await listed('--baseline')).toEqual([1, 'src/a.ts:unused-local baseline: null']);
  await repository.write('src/a.ts', '/** One. */\nexport const one = 1;\n');
  expect(await selfware.json(['baseline', 'show'])).toMatchObject({
    code: 1,
    value: { entries: 1, held: 0, fixed: [{ path: 'src/a.ts', rule: 'unused-local' }] },
  });
  expect((await selfware.json(['baseline', 'update'])).value).toMatchObject({ held: 0, fixed: [{ path: 'src/a.ts' }] });
  expect(await selfware.json(['baseline', 'show'])).toMatchObject({ code: 0, value: { entries: 0, fixed: [] } });
  await repository.write('.selfware/baseline.json', '{');
  const damaged = await selfware.run(['analyse', '--rule', 'unused-local']);
  expect([damaged.code, damaged.stderr]).toEqual([
    0,
    expect.stringContaining('.selfware/baseline.json cannot be used'),
  ]);
  expect((await selfware.run(['baseline', 'remove', '--untrusted'])).code).toBe(2);
  expect((await selfware.json(['baseline', 'remove'])).value).toEqual({ removed: true });
  expect(await repository.read('.selfware/baseline.json')).toBeNull();
});

thoroughTest('settings of the team, and those of the person over them', async () => {
  await repository.write(
    '.selfware/settings.json',
    JSON.stringify({
      'selfware.analysis.rules': { 'unused-local': 'off', 'many-parameters': 'warning' },
      'verify.testCommand': 'touch ran',
    }),
  );
  const { stderr } = await selfware.run(['analyse']);
  expect(stderr).toContain('verify.testCommand is for each person to set');
  expect(await listed()).toEqual([1, 'src/c.ts:many-parameters']);
  expect(
    await listed(
      '--set',
      'analysis.rules={"unused-local":"hint"}',
      '--set',
      'analysis.rules={"many-parameters":"off"}',
    ),
  ).toEqual([1, 'src/a.ts:unused-local']);
  const sarif = JSON.parse((await selfware.run(['analyse', '--format', 'sarif', '--all'])).stdout) as {
    runs: [{ results: { ruleId: string; level: string; suppressions?: { kind: string; justification: string }[] }[] }];
  };
  expect(
    sarif.runs[0].results.map(({ ruleId, level, suppressions }) => [
      ruleId,
      level,
      suppressions?.[0]?.justification ?? null,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['many-parameters', 'warning', null],
      ['unused-local', 'note', 'kept for the debugger'],
    ]),
  );
});
