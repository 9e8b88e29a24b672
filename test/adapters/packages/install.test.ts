// What a script of a package can reach while it is installed: nothing but its scratch copy and the hosts of the plan.

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPackageTrees, TREE_FOLDER } from '../../../server/src/adapters/packages/packageTrees.ts';
import { NO_PACKAGES } from '../../../server/src/adapters/packages/findPackageSources.ts';
import { createPackages } from '../../../server/src/adapters/packages/packages.ts';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';

const log = { write: () => undefined };
const signal = new AbortController().signal;

/** Runs inside, as text. Writes what succeeded to `node_modules/report.json`. */
async function attack(given: { repository: string; outside: string; home: string; port: number }): Promise<void> {
  const fs = process.getBuiltinModule('node:fs');
  const net = process.getBuiltinModule('node:net');
  const http = process.getBuiltinModule('node:http');
  const done: string[] = [];
  const attempt = (name: string, action: () => unknown) => {
    try {
      if (action() !== false) done.push(name);
    } catch {
      // Refused, as it should be.
    }
  };
  // Folders of programs that lie in a home are shown, and nothing else of it.
  attempt('reads the home folder', () =>
    fs.readdirSync(given.home, { withFileTypes: true }).some((one) => one.isFile()),
  );
  // The objects of its own history are shown, as in every sandbox.
  attempt('sees the repository of the user', () => fs.readdirSync(given.repository).some((name) => name !== '.git'));
  attempt('reads a file outside', () => fs.readFileSync(`${given.outside}/secret`));
  attempt('writes a file outside', () => fs.writeFileSync(`${given.outside}/new`, 'x'));
  attempt('writes to the system', () => fs.writeFileSync('/usr/local/left-behind', 'x'));
  attempt('sees services', () => fs.readdirSync('/run').length > 0);
  attempt('sees a token', () => process.env['SECRET_TOKEN'] !== undefined);
  const connects = (options: object) =>
    new Promise<boolean>((resolve) => {
      const socket = net.connect(options as { port: number });
      socket.once('connect', () => (socket.destroy(), resolve(true)));
      socket.once('error', () => resolve(false));
    });
  if (await connects({ port: given.port, host: '127.0.0.1' })) done.push('reaches the loopback of the machine');
  const proxy = new URL(process.env['HTTPS_PROXY'] ?? 'http://127.0.0.1:1');
  const answer = (path: string) =>
    new Promise<number>((resolve) => {
      const call = http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path });
      call.once('connect', ({ statusCode = 0 }) => resolve(statusCode));
      call.once('error', () => resolve(0)).end();
    });
  if ((await answer('evil.invalid:443')) === 200) done.push('reaches a host that nobody has approved');
  if ((await answer(`localhost:${given.port}`)) === 200) done.push('reaches the machine by the gate');
  // The attack has run, and the gate has answered it.
  if ((await answer('evil.invalid:443')) === 403) done.push('was here');
  fs.mkdirSync('node_modules', { recursive: true });
  fs.symlinkSync('/etc', 'node_modules/link');
  fs.writeFileSync('node_modules/report.json', JSON.stringify(done));
  process.exit(0);
}

test('a script of a package reaches nothing but its scratch copy', async () => {
  const repository = await createTemporaryRepository({ 'package.json': '{}\n' });
  const [stateDir, outside] = [await folder('state-'), await folder('outside-')];
  await writeFile(join(outside, 'secret'), 'secret');
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env['SECRET_TOKEN'] = 'secret';
  try {
    const scratch = createSandbox(repository.dir, stateDir, {
      ...{ clock: systemClock, ids: createIds(systemClock), log },
      choosePackages: async () => NO_PACKAGES,
    });
    const kept = createPackageTrees(stateDir);
    const packages = createPackages(repository.dir, {
      ...{ clock: systemClock, log, packageTrees: kept, env: { ...process.env, HTTPS_PROXY: undefined } },
      scratch: (stop) => scratch.open(stop),
      isConfined: async () => (await scratch.isolation()).confined,
    });
    const given = {
      repository: repository.dir,
      outside,
      home: homedir(),
      port: (server.address() as AddressInfo).port,
    };
    const script = `(${attack.toString()})(${JSON.stringify(given)})`;
    const result = await packages.install(
      {
        name: 'abcdef0123456789',
        shape: 'shape',
        steps: [{ command: ['node', '-e', script], env: {}, network: true }],
        hosts: ['allowed.invalid'],
        keep: [],
      },
      { signal },
    );
    expect(result.steps.map(({ exitCode, output }) => `${exitCode} ${output}`)).toEqual(['0 ']);
    expect(result.kept?.entries).toEqual(['node_modules']);
    const report = await readFile(
      join(kept.place('abcdef0123456789'), TREE_FOLDER, 'node_modules', 'report.json'),
      'utf8',
    );
    expect(JSON.parse(report)).toEqual(['was here']);
    expect(result.refusedHosts).toContain('evil.invalid');
    expect(existsSync(join(outside, 'new'))).toBe(false);
    expect(existsSync(join(repository.dir, 'node_modules'))).toBe(false);
  } finally {
    delete process.env['SECRET_TOKEN'];
    server.close();
    await repository.dispose();
  }
});

async function folder(name: string): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), name)));
}
