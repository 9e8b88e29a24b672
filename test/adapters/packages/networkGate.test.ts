import { mkdtemp } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openNetworkGate, SOCKET_NAME } from '../../../server/src/adapters/packages/networkGate.ts';

/** What the gate says to `CONNECT host`: a status. */
async function asked(folder: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: join(folder, SOCKET_NAME), method: 'CONNECT', path });
    call.once('connect', (answer, socket) => (socket.destroy(), resolve(answer.statusCode ?? 0)));
    call.once('error', reject).end();
  });
}

test('only hosts by name, only https, and never this machine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gate-'));
  await using gate = await openNetworkGate(folder, ['localhost', '169.254.169.254', '127.0.0.1', 'Allowed.invalid']);
  expect(await asked(folder, 'evil.invalid:443')).toBe(403);
  expect(await asked(folder, 'allowed.invalid:22')).toBe(403);
  // Let through by name, and then they lead nowhere or to this machine.
  expect(await asked(folder, 'allowed.invalid:443')).toBe(502);
  expect(await asked(folder, 'localhost:443')).toBe(502);
  expect(await asked(folder, '127.0.0.1:443')).toBe(502);
  expect(await asked(folder, '169.254.169.254:443')).toBe(502);
  expect(gate.refused).toEqual(['allowed.invalid:22', 'evil.invalid']);
});

test('a folder with a long path has room for the socket', async () => {
  const folder = await mkdtemp(join(tmpdir(), `gate-${'x'.repeat(120)}`));
  await expect(
    (async () => {
      await using gate = await openNetworkGate(folder, []);
      return gate.refused;
    })(),
  ).resolves.toEqual([]);
});
