// `selfware inbox` from outside: repeated commands become a proposal, and the one that a person applies runs for agents
// in the real sandbox.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

let repository: TemporaryRepository;
let selfware: CommandLine;

beforeAll(async () => {
  repository = await createTemporaryRepository({ 'src/a.js': 'export const a = 1;\n' });
  selfware = await createCommandLine(repository.dir);
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

thoroughTest(
  'a repeated command is proposed, shown, applied by a person only, and runs without reaching the files',
  async () => {
    expect((await selfware.run(['inbox'])).stdout).toContain('Nothing is proposed.');
    const lines = ['ls src', 'touch src/left.js && ls src'];
    for (const session of ['a', 'b', 'c'])
      for (const line of lines)
        await selfware.run(['feedback', 'record', 'tool_success', `command:${line}`, '--session', session]);
    const { value: list } = await selfware.json(['inbox']);
    expect(list.open).toEqual([expect.objectContaining({ kind: 'command', command: lines.join(' && ') })]);
    const [{ id, name }] = list.open;
    const shown = await selfware.run(['inbox', 'show', id]);
    expect(shown.stdout).toContain(`$ ${lines.join(' && ')}`);
    expect(shown.stdout).toContain('it may write, which the sandbox discards');

    // This test is no terminal, and an agent may not decide at all.
    const alone = await selfware.run(['inbox', 'apply', id, '--may-write']);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('needs a person')]);
    const agent = await selfware.run(['inbox', 'reject', id, '--reason', 'no'], { env: { CLAUDECODE: '1' } });
    expect([agent.code, agent.stderr]).toEqual([2, expect.stringContaining('is for a person')]);

    await selfware.decide();
    const careless = await selfware.run(['inbox', 'apply', id]);
    expect([careless.code, careless.stderr]).toEqual([2, expect.stringContaining('--may-write')]);
    expect((await selfware.run(['inbox', 'apply', id, '--may-write'])).stdout).toContain(
      `Applied: command ${id} (${name}).`,
    );
    const run = await selfware.run(['inbox', 'run', name]);
    expect([run.code, run.stdout]).toEqual([0, 'a.js\na.js\nleft.js\n']);
    expect(await repository.git('status', '--porcelain')).toBe('');

    const back = await selfware.run(['inbox', 'reject', id, '--reason', 'Not needed']);
    expect(back.stdout).toContain(`Taken back: command ${id} (${name}).`);
    expect((await selfware.run(['inbox', 'run', name])).code).toBe(2);
    expect((await selfware.run(['inbox'])).stdout).toMatch(/withdrawn on \d{4}-\d\d-\d\d: Not needed/);
    expect((await selfware.run(['ledger', 'verify'])).code).toBe(0);
  },
);

test('figures of Selfware itself that were not measured are unknown, and a bottleneck is no task here', async () => {
  const performance = await selfware.run(['performance']);
  expect([performance.code, performance.stdout]).toEqual([
    0,
    expect.stringContaining('Files indexed from scratch: not measured, target at least 50'),
  ]);
  const json = await selfware.run(['performance', '--json']);
  const { figures } = JSON.parse(json.stdout) as { figures: { value: unknown; baseline: unknown; trend: unknown }[] };
  expect(figures).toHaveLength(11);
  expect(figures.every(({ value, baseline, trend }) => value === null && baseline === null && trend === null)).toBe(
    true,
  );
  expect(await selfware.run(['performance', '--hours', 'soon'])).toMatchObject({ code: 2 });
  const ask = (...more: readonly string[]) => selfware.run(['propose', ...more]);
  for (const [args, message] of [
    [['--bottleneck'], 'go with --proposer'],
    [['--bottleneck', 'taste', '--proposer', 'mailbox:x'], 'There is no figure taste. Name one of: indexing'],
    [['--bottleneck', '--proposer', 'mailbox:x'], 'Nothing that a benchmark can judge misses its target'],
  ] as const) {
    const run = await ask(...args);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});

test('an index leaves measurements of the process and the databases, which a target of the person judges', async () => {
  const measured = await createTemporaryRepository({ 'a.js': 'export const a = () => 1;\n' });
  const at = await createCommandLine(measured.dir);
  await at.run(['index']);
  const run = await at.run(['performance', '--set', 'performance.targets={"database": 0.000001}']);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/Size of the databases and the index: [\d.]+ MB \(1 measured\), target at most 0.000001/);
  expect(run.stdout).toMatch(/Time to read the newest 500 events of the ledger: \d+ ms \(1 measured\)/);
  expect(run.stdout).toMatch(/Bottleneck: database, critical/);
  // Within an hour, another index measures nothing of the state folder.
  await measured.write('a.js', 'export const b = () => 1;\n');
  await at.run(['index']);
  const { value: report } = await at.json(['performance']);
  const samples = Object.fromEntries(
    report.figures.map(({ metric, samples: count }: { metric: string; samples: number }) => [metric, count]),
  );
  expect(samples).toMatchObject({ database: 1, ledger: 1, update: 1, cache: 1 });
  await at.dispose();
  await measured.dispose();
});

test('another repository beside this one is found and searched, and nothing is written to it', async () => {
  const named = await createTemporaryRepository({
    '.selfware/settings.json': JSON.stringify({ 'index.exclude': ['secret'] }),
    'secret/money.js': '/** Rounds money half to even. */\nexport function roundMoneySecretly() {}\n',
    'src/money.js': '/** Rounds money half to even. */\nexport function roundMoney(value) {\n  return value;\n}\n',
  });
  try {
    const set = ['--set', `memory.references=${JSON.stringify([named.dir])}`];
    const { value: list } = await selfware.json(['references', ...set]);
    expect(list).toContainEqual(expect.objectContaining({ found: 'named' }));
    const { value: hits } = await selfware.json(['references', 'search', 'round money', '--top', '9', ...set]);
    expect(hits[0]).toMatchObject({ path: 'src/money.js', text: expect.stringContaining('roundMoney') });
    expect(hits.map(({ path }: { path: string }) => path)).not.toContain('secret/money.js');
    expect(await named.git('status', '--porcelain')).toBe('');
  } finally {
    await named.dispose();
  }
});
