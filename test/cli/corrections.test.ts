// A correction that a person repeats, from outside: it becomes a proposed rule in `selfware rules`, off until applied.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const unread = (name: string) =>
  `/** Adds one. */\nexport function ${name}(value) {\n  const spare = value * 2;\n  return value + 1;\n}\n`;

let repository: TemporaryRepository;
let selfware: CommandLine;

beforeAll(async () => {
  repository = await createTemporaryRepository({ 'src/one.js': unread('one'), 'src/two.js': unread('two') });
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

test('two changes that are rejected for one reason become a proposed rule, which a person applies or rejects', async () => {
  const { value: found } = await selfware.json(['analyse', '--rule', 'unused-local']);
  const ids: readonly string[] = found.map(({ id }: { readonly id: string }) => id);
  expect(ids).toHaveLength(2);
  for (const id of ids) {
    const { value: proposed } = await selfware.json(['propose', id, '--no-verify']);
    const rejected = await selfware.run(['proposals', 'reject', proposed.id, '--reason', 'Debuggers need these']);
    expect(rejected.code, rejected.stderr).toBe(0);
  }
  const rules = await selfware.run(['rules']);
  expect(rules.stdout).toMatch(
    /^s-\w{8} {2}CODE {2}proposed {2}Before a change for unused-local, .*“Debuggers need these”/m,
  );
  expect(rules.stderr).toContain('selfware inbox show ID');
  const [id] = rules.stdout.match(/s-\w{8}/)!;
  expect((await selfware.run(['inbox', 'show', id])).stdout).toContain(
    'You turned down 2 changes for unused-local on ',
  );
  expect((await selfware.run(['inbox', 'apply', id])).code).toBe(0);
  expect((await selfware.run(['rules', 'read', 'CODE'])).stdout).toContain('Debuggers need these');
  expect((await selfware.run(['inbox', 'reject', id, '--reason', 'No longer'])).stdout).toContain('Taken back');
  expect((await selfware.run(['rules', 'read', 'CODE'])).stdout).not.toContain('Debuggers need these');
  expect((await selfware.run(['learned', 'orders'])).stdout).toContain('each list is asked as it is written');
});
