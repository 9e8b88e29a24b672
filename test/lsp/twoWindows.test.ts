// Two windows on one repository: what one of them decides, the other one sees without being asked.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startRealServer, type ClientOptions } from '../helpers/lspServers.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

const ours: ClientOptions = { capabilities: richCapabilities, initializationOptions: { canSave: true, trusted: true } };

test('an opportunity that is dismissed in one window leaves the list of the other', async () => {
  const repository = await createTemporaryRepository(sampleProject);
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  const servers = [
    await startRealServer(repository.dir, ours, home),
    await startRealServer(repository.dir, ours, home),
  ];
  try {
    const [here, there] = servers.map(({ client }) => client) as [
      (typeof servers)[0]['client'],
      (typeof servers)[0]['client'],
    ];
    for (const client of [here, there]) await client.initialize();
    const state = (client: typeof here) => client.request('selfware/state');
    await expect
      .poll(async () => (await state(here)).doable.analysed && (await state(there)).doable.analysed)
      .toBe(true);
    const { opportunityCount } = await state(there);
    const { rows } = await here.request('selfware/opportunities', {});
    expect(rows.length).toBe(opportunityCount);
    // It has seen the newest event once.
    await there.waitFor(({ method }) => method === 'selfware/stateChanged');
    const told = there.received.length;
    const [row] = rows;
    const dismissed = await here.request('workspace/executeCommand', {
      command: 'selfware.server.dismiss',
      arguments: [{ uri: here.uri(row.path), opportunity: row.id, kind: 'notAProblem' }],
    });
    expect(dismissed).toMatchObject({ ok: true });
    await there.waitFor(({ method }) => method === 'selfware/stateChanged', told);
    await expect.poll(async () => (await state(there)).opportunityCount).toBe(opportunityCount - 1);
    expect(
      (await there.request('selfware/opportunities', {})).rows.map(({ id }: { readonly id: string }) => id),
    ).not.toContain(row.id);
  } finally {
    for (const server of servers) await server.dispose();
    await rm(home, { recursive: true, force: true });
    await repository.dispose();
  }
});
