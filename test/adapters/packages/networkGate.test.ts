import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openNetworkGate, SOCKET_NAME } from '../../../server/src/adapters/packages/networkGate.ts';

const folders: string[] = [];

async function makeFolder(name = ''): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `gate-${name}`));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** What the gate says to `CONNECT host`: a status. */
async function asked(folder: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: join(folder, SOCKET_NAME), method: 'CONNECT', path });
    call.once('connect', (answer, socket) => (socket.destroy(), resolve(answer.statusCode ?? 0)));
    call.once('error', reject).end();
  });
}

test('only hosts by name, only https, and never this machine', async () => {
  const folder = await makeFolder();
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
  const folder = await makeFolder('x'.repeat(120));
  await expect(
    (async () => {
      await using gate = await openNetworkGate(folder, []);
      return gate.refused;
    })(),
  ).resolves.toEqual([]);
});

test('private networks are out of reach where that is wanted, and what goes through is counted and limited', async () => {
  const echo = createServer((socket) => void socket.on('error', () => undefined).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const port = (echo.address() as { port: number }).port;
  const addresses: Record<string, string> = { 'far.example': '93.184.215.14', 'near.example': '192.168.0.1' };
  const connectTo = async () => connect(port, '127.0.0.1');
  const resolve = async (host: string) => ({ address: addresses[host]!, family: 4 });
  const folder = await makeFolder();
  await using gate = await openNetworkGate(folder, Object.keys(addresses), {
    refusesPrivate: true,
    maxBytes: 1_000,
    connectTo,
    resolve,
  });
  expect(await asked(folder, 'near.example:443')).toBe(502);
  const open = await makeFolder();
  await using other = await openNetworkGate(open, Object.keys(addresses), { connectTo, resolve });
  expect(await asked(open, 'near.example:443')).toBe(200);
  expect(other.bytes).toEqual({ sent: 0, received: 0 });
  const said = await new Promise<string>((done, reject) => {
    const call = request({ socketPath: join(folder, SOCKET_NAME), method: 'CONNECT', path: 'far.example:443' });
    call.once('error', reject).once('connect', (_, socket) => {
      let text = '';
      socket.on('error', () => undefined).on('close', () => done(text));
      socket.on('data', (chunk: Buffer) => {
        if (text === '') socket.write('x'.repeat(2_000));
        text += chunk.toString();
      });
      socket.write('hello');
    });
    call.end();
  });
  expect(said.startsWith('hello')).toBe(true);
  expect(gate.bytes.sent).toBe(2_005);
  echo.close();
});
