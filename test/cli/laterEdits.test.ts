// What a person writes in a later commit instead of a kept change is a lesson: `selfware learned` from outside, on real
// commits.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveStateFolder } from '../../server/src/adapters/files/stateFolder.ts';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createDecidedChanges, recordDecided } from '../helpers/learnedLedger.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const changes = createDecidedChanges(4).map((change) => ({ ...change, ...change.edits[0]! }));

let repository: TemporaryRepository;
let selfware: CommandLine;

beforeAll(async () => {
  repository = await createTemporaryRepository(Object.fromEntries(changes.map(({ path, before }) => [path, before!])));
  selfware = await createCommandLine(repository.dir);
  await recordDecided(resolveStateFolder(repository.dir, { SELFWARE_HOME: selfware.home }), createDecidedChanges(4));
  await commit('Use const', Object.fromEntries(changes.map(({ path, after }) => [path, after!])));
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

async function commit(subject: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) await repository.write(path, text);
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', subject);
}

async function lessons(): Promise<readonly string[]> {
  const { value } = await selfware.json(['learned']);
  return value.map(({ text }: { text: string }) => text).toSorted();
}

const KEPT = (number: number) => `${number} changes for prefer-const by prefer-const were kept.`;

test('on another branch, where the change never was, nothing is learned', async () => {
  await repository.git('switch', '--quiet', '--create', 'old', 'HEAD~1');
  await commit('Elsewhere', { 'src/part0.ts': changes[0]!.before!.replace('= 0', '= 1') });
  expect(await lessons()).toEqual([KEPT(4)]);
  await repository.git('switch', '--quiet', 'main');
});

test('commits about something else teach nothing, nor does what was undone and brought back', async () => {
  await commit('More names', { 'src/part3.ts': `${changes[3]!.after}export const more = 1;\n` });
  await commit('Count from one', { 'src/part2.ts': changes[2]!.after!.replace('= 0', '= 1') });
  await commit('Try it', { 'src/part0.ts': changes[0]!.before! });
  await repository.git('revert', '--no-edit', 'HEAD');
  expect(await lessons()).toEqual([KEPT(4)]);
});

test('a commit that undoes a change is a lesson, and one that writes its lines differently', async () => {
  await commit('This one has to vary', { 'src/part1.ts': changes[1]!.before! });
  await commit('Name the start', {
    'src/part0.ts': changes[0]!.after!.replace('const total0 = 0', 'let total0 = START'),
  });
  // Two at once may both see it first.
  await Promise.all([lessons(), lessons()]);
  const learned = [
    '1 change for prefer-const was rolled back: “The commit ‘This one has to vary’ has undone it.”',
    KEPT(2),
    'A later commit writes the lines of 1 change for prefer-const differently.',
  ];
  expect(await lessons()).toEqual(learned);
  // Each is learned once.
  expect(await lessons()).toEqual(learned);
  const { stdout } = await selfware.run(['ledger', 'tail']);
  expect(stdout).toContain('Undone by the commit “This one has to vary”: Use const');
  expect(stdout).toContain('Written differently by the commit “Name the start”: Use const');
});

test('what was undone is a refused example and lowers the trust; what was rewritten teaches nothing', async () => {
  const folder = join(selfware.home, 'dataset');
  const exported = await selfware.run(['learn', 'export', '--to', folder]);
  expect(exported.code, exported.stderr).toBe(0);
  const examples = async (name: string) =>
    (await readFile(join(folder, `${name}.jsonl`), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ ...JSON.parse(line), path: /src\/part\d/.exec(line)?.[0] }));
  const taught = [...(await examples('train')), ...(await examples('heldout'))];
  const kept = taught.filter(({ kind }) => kind === 'kept').map(({ path }) => path);
  expect(kept.toSorted()).toEqual(['src/part2', 'src/part3']);
  expect(await examples('refused')).toMatchObject([
    { path: 'src/part1', reason: 'The commit ‘This one has to vary’ has undone it.' },
  ]);
  const { value: strategies } = await selfware.json(['learned', 'strategies']);
  expect(strategies).toMatchObject([{ tries: 3, kept: 2 }]);
});

test('it can be forgotten', async () => {
  await selfware.decide();
  const { value } = await selfware.json(['learned']);
  const lesson = value.find(({ kind }: { kind: string }) => kind === 'rolledBack');
  const forgotten = await selfware.run(['learned', 'forget', lesson.id]);
  expect(forgotten.code, forgotten.stderr).toBe(0);
  expect((await lessons()).some((text) => text.includes('was rolled back'))).toBe(false);
});

test.each([[['learned']], [['learned', 'strategies']], [['learn', 'status']]])(
  'on a damaged ledger, %j says so and fails, instead of saying that nothing was learned',
  async (args) => {
    const stateDir = resolveStateFolder(repository.dir, { SELFWARE_HOME: selfware.home });
    await rm(join(stateDir, 'ledger.db.head'), { force: true });
    const { code, stdout, stderr } = await selfware.run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('The ledger is damaged');
  },
);
