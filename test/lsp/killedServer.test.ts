// The built language server, killed in the middle of a verification: the next one finds the proposal where it was,
// and continues.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import type { LspClient } from '../helpers/lspClient.ts';
import { startRealServer, type ClientOptions, type RealServer } from '../helpers/lspServers.ts';
import { typedProject } from '../helpers/sampleProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const file = 'src/grade.ts';
const ours: ClientOptions = { capabilities: richCapabilities, initializationOptions: { canSave: true, trusted: true } };

let repository: TemporaryRepository;
let home: string;
let server: RealServer | null = null;
beforeEach(async () => {
  repository = await createTemporaryRepository(typedProject);
  home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
});
afterEach(async () => {
  await server?.dispose();
  server = null;
  await repository.dispose();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
});

/** Also after the one before was killed. */
async function start(): Promise<LspClient> {
  await server?.dispose();
  server = await startRealServer(repository.dir, ours, home);
  await server.client.initialize();
  return server.client;
}

const execute = (client: LspClient, command: string, argument: object = {}) =>
  client.request('workspace/executeCommand', { command: `selfware.server.${command}`, arguments: [argument] });

/** Starts to apply, and kills the server when it says that this gate runs. */
async function killedIn(client: LspClient, proposal: string, gate: RegExp): Promise<void> {
  const from = client.received.length;
  const applied = execute(client, 'apply', { proposal }).catch(() => null);
  await client.waitFor(({ method, params }) => method === '$/progress' && gate.test(params.value?.message ?? ''), from);
  server?.process.kill('SIGKILL');
  await server?.exited;
  void applied;
}

async function openProposals(
  client: LspClient,
): Promise<{ readonly pending: readonly (readonly [string, string])[]; readonly making: readonly string[] }> {
  const state = await client.request('selfware/state');
  return {
    pending: state.pending.map(({ id, status }: { id: string; status: string }) => [id, status] as const),
    making: state.making.map(({ status }: { status: string }) => status),
  };
}

test('killed at several points of a verification that applying asks for: the proposal waits, and what was shown is not run again', async () => {
  let client = await start();
  const improved = await execute(client, 'improve');
  expect(improved).toMatchObject({ ok: true, review: { status: 'verified' } });
  const proposal: string = improved.review.id;
  // Edited elsewhere, so that applying verifies it again.
  await repository.write(file, `${typedProject[file]}\n/** Best of all. */\nexport const BEST: Grade = 'A';\n`);
  for (const gate of [/types/i, /tests/i]) {
    await killedIn(client, proposal, gate);
    client = await start();
    expect(await openProposals(client)).toEqual({ pending: [[proposal, 'verified']], making: [] });
  }
  const from = client.received.length;
  const applied = await execute(client, 'apply', { proposal });
  expect(applied).toMatchObject({ ok: true, review: { status: 'kept' } });
  const told = client.received
    .slice(from)
    .flatMap(({ method, params }) => (method === '$/progress' ? [String(params.value?.message ?? '')] : []));
  expect(told.some((message) => /tests/i.test(message))).toBe(true);
  expect(told.filter((message) => /types/i.test(message) && message.includes('checks run again'))).toEqual([]);
  const types = applied.review.verdicts.find((verdict: { gate: string }) => verdict.gate === 'types');
  expect(types).toMatchObject({ outcome: 'passed' });
  expect(await repository.read(file)).toContain('export const BEST');
  expect(await openProposals(client)).toMatchObject({ making: [] });
});
