// "Find Missing Tests or Faults…": real searches by the built server, what is then on the list, and the lines that no
// test runs.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { CommandOutcome } from '#protocol/review';
import type { SidebarState } from '#protocol/state';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import type { LspClient } from '../helpers/lspClient.ts';
import { startInnerServer, startRealServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const files = {
  'package.json': manifestOf('amounts'),
  'tsconfig.json': '{"compilerOptions": {"strict": true, "target": "es2022", "module": "nodenext"}}\n',
  'src/clamp.ts': `export function clamp(value: number, most: number): number {
  return value > most ? most : value;
}

export function lastOf(texts: readonly string[]): number {
  return texts[texts.length - 1]!.length;
}
`,
  'test/clamp.test.ts': `import test from 'node:test';
import assert from 'node:assert';
import { clamp } from '../src/clamp.ts';
test('clamp', () => assert.strictEqual(clamp(3, 10), 3));
`,
};

const execute = (client: LspClient, command: string, argument: object) =>
  client.request<CommandOutcome>('workspace/executeCommand', {
    command: `selfware.server.${command}`,
    arguments: [argument],
  });

const coverageOf = ({ points }: SidebarState) =>
  points?.categories.find(({ name }) => name === 'testCoverage')?.inputs[0];

test('the searches of one file answer with a page, and their findings are opportunities', async () => {
  const repository = await createTemporaryRepository(files);
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  const { client, dispose } = await startRealServer(
    repository.dir,
    { capabilities: richCapabilities, initializationOptions: { canSave: true } },
    home,
  );
  await client.initialize();
  const uri = pathToFileURL(join(repository.dir, 'src/clamp.ts')).href;

  const mistakes = await execute(client, 'findMistakes', { uri });
  expect(mistakes).toMatchObject({
    ok: true,
    message: expect.stringMatching(/^2 functions with mistakes that no test notices in 1 file\./),
    page: { title: 'Selfware: Missing Tests' },
  });
  expect(mistakes.page?.markdown).toContain(`## clamp ([src/clamp.ts:1](${uri}#L1))`);
  expect(mistakes.page?.markdown).toMatch(/Tests that would notice them, for `test\/clamp\.test\.ts`/);

  const calls = await execute(client, 'findCalls', { uri });
  expect(calls).toMatchObject({ ok: true, message: '1 call that breaks a function in 1 file.' });
  expect(calls.page?.markdown).toContain('`lastOf([])`');

  const before = await client.request<SidebarState>('selfware/state', {});
  expect(before.opportunityCount).toBe(3);
  expect(coverageOf(before)).toMatchObject({
    points: null,
    said: 'There is no report of coverage. "Selfware: Find Missing Tests or Faults…" measures it.',
  });

  const coverage = await execute(client, 'measureCoverage', {});
  expect(coverage).toMatchObject({
    ok: true,
    message: expect.stringMatching(/^The tests run \d+\.\d % of the lines with statements\.$/),
    page: { title: 'Selfware: Test Coverage' },
  });
  expect(coverage.page?.markdown).toContain(`| [src/clamp.ts](${uri}#L6) | 50.0 % | 6 |`);
  expect(coverageOf(await client.request<SidebarState>('selfware/state', {}))?.points).toBeGreaterThan(0);
  await dispose();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  await repository.dispose();
});

thoroughTest('a missing test of the whole folder is proposed, and waits for a decision', async () => {
  const repository = await createTemporaryRepository(files);
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  const { client, dispose } = await startRealServer(
    repository.dir,
    { capabilities: richCapabilities, initializationOptions: { canSave: true } },
    home,
  );
  await client.initialize();
  const outcome = await execute(client, 'proposeTest', {});
  expect(outcome).toMatchObject({ ok: true, message: expect.stringMatching(/waits for your decision\.$/) });
  expect(outcome.review?.files[0]?.path).toMatch(/^test\//);
  const { waiting, opportunityCount } = await client.request<SidebarState>('selfware/state', {});
  expect({ waiting, found: opportunityCount > 0 }).toEqual({ waiting: 1, found: true });
  await dispose();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  await repository.dispose();
});

test.each([
  ['a file of no folder', { uri: 'file:///nowhere/a.ts' }, /in none of the folders/],
  ['a uri that is no text', { uri: 3 }, /uri/],
] as const)('nothing is searched for %s', async (_, argument, message) => {
  const repository = await createTemporaryRepository(files);
  const { client } = startInnerServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true },
  });
  await client.initialize();
  for (const command of ['findMistakes', 'findCalls'])
    expect(await execute(client, command, argument)).toMatchObject({
      ok: false,
      message: expect.stringMatching(message),
    });
  await repository.dispose();
});
