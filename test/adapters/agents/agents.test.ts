// A coding agent in its enclosure: what it is given, and what comes of what it does.

import { chmod, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFirstWorking } from '../../../server/src/adapters/sandbox/isolation/choose.ts';
import { AGENTS } from '../../../server/src/adapters/agents/agentTable.ts';
import { createAgents } from '../../../server/src/adapters/agents/agents.ts';
import { silentLog } from '../sandbox/sandboxOf.ts';
import { createAgentWorld, FILES, put } from './agentWorld.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const FIXED = {
  path: 'src/rate.mjs',
  before: FILES['src/rate.mjs'],
  after: 'export const rate = (value) => value / 100;\n',
};
const FIX = `import fs from 'node:fs';
fs.writeFileSync('src/rate.mjs', fs.readFileSync('src/rate.mjs', 'utf8').replace('/ 10;', '/ 100;'));
`;

test('what differs when it ends is its answer, and the last line that it prints says what it did', async () => {
  await using world = await createAgentWorld();
  const reply = await world.ask(`${FIX} console.log('Looking.'); console.log('The rate is exact.\\n');`);
  expect(reply).toMatchObject({ edits: [FIXED], text: 'The rate is exact.', finished: true, usage: null });
  expect(reply.refused).toBeUndefined();
  expect(await world.repository.read('src/rate.mjs')).toBe(FIXED.before);
});

test('new and removed files, uncommitted work, line ends and a byte order mark', async () => {
  await using world = await createAgentWorld({ ...FILES, 'gone.txt': 'gone\n', 'marked.txt': '\uFEFFa\r\n' });
  await world.repository.write('src/rate.mjs', 'uncommitted\r\n');
  await world.repository.write('untracked.txt', 'untracked\n');
  const { edits } = await world.ask(`import fs from 'node:fs';
fs.rmSync('gone.txt');
fs.mkdirSync('new/deep', { recursive: true });
fs.writeFileSync('new/deep/file.txt', 'new\\n');
fs.mkdirSync('empty');
for (const path of ['src/rate.mjs', 'untracked.txt', 'marked.txt']) fs.appendFileSync(path, 'more\\r\\n');`);
  expect(edits).toEqual([
    { path: 'gone.txt', before: 'gone\n', after: null },
    { path: 'marked.txt', before: '\uFEFFa\r\n', after: '\uFEFFa\r\nmore\r\n' },
    { path: 'new/deep/file.txt', before: null, after: 'new\n' },
    { path: 'src/rate.mjs', before: 'uncommitted\r\n', after: 'uncommitted\r\nmore\r\n' },
    { path: 'untracked.txt', before: 'untracked\n', after: 'untracked\nmore\r\n' },
  ]);
});

test('ignored files and packages that it has made are left out, even if it ignores less', async () => {
  await using world = await createAgentWorld();
  const { edits } = await world.ask(`${FIX}
for (const folder of ['dist', 'node_modules/evil']) {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(folder + '/made.js', 'made');
}
fs.writeFileSync('.gitignore', '');`);
  expect(edits?.map(({ path }) => path)).toEqual(['.gitignore', 'src/rate.mjs']);
});

test('what lies behind a link of the repository is named, and what is ignored is left out all the same', async () => {
  await using world = await createAgentWorld();
  await symlink('src', join(world.repository.dir, 'link'));
  const { refused } = await world.ask(`${FIX}
fs.rmSync('link');
for (const folder of ['dist', 'link']) { fs.mkdirSync(folder); fs.writeFileSync(folder + '/made.txt', 'made'); }`);
  expect(refused).toBe('Not everything that it changed can be taken: link was a link.');
});

test('a change that puts back size and time is seen', async () => {
  await using world = await createAgentWorld();
  const { edits } = await world.ask(`import fs from 'node:fs';
const { atime, mtime } = fs.statSync('src/rate.mjs');
fs.writeFileSync('src/rate.mjs', fs.readFileSync('src/rate.mjs', 'utf8').replace('/ 10;', '* 10;'));
fs.utimesSync('src/rate.mjs', atime, mtime);`);
  expect(edits).toHaveLength(1);
});

test.each([
  ['a link', "fs.symlinkSync('/etc/passwd', 'link');", /link is a link/],
  ['a file behind a link', "fs.rmSync('src', { recursive: true }); fs.symlinkSync('/etc', 'src');", /src is a link/],
  [
    'bytes that are no text',
    "fs.writeFileSync('src/rate.mjs', Buffer.from([0xff, 0xfe, 0]));",
    /rate\.mjs is not text/,
  ],
  ['a huge file', "fs.writeFileSync('huge.txt', 'x'.repeat(2 << 20));", /huge\.txt is too large/],
  ['a pipe', "process.getBuiltinModule('node:child_process').execFileSync('mkfifo', ['pipe']);", /pipe is not a file/],
  [
    'too many files',
    "for (let at = 0; at < 101; at += 1) fs.writeFileSync('n' + at, '');",
    /changed 102 files, and at most 100/,
  ],
  ['too many folders in folders', "fs.mkdirSync('a/'.repeat(200), { recursive: true });", /is not a file/],
])('%s is named and nothing of the change is taken', async (_what, script, refused) => {
  await using world = await createAgentWorld();
  const reply = await world.ask(`${FIX} ${script}`);
  expect([reply.edits, reply.refused]).toEqual([undefined, expect.stringMatching(refused)]);
});

test('only the contents of a file are a change, not its mode', async () => {
  await using world = await createAgentWorld();
  const reply = await world.ask("import fs from 'node:fs'; fs.chmodSync('src/rate.mjs', 0o755); console.log('Done.');");
  expect(reply).toMatchObject({ refused: 'command:tried changed no file. It said last: Done.' });
});

test('a file that the person has edited meanwhile is named', async () => {
  await using world = await createAgentWorld();
  const asked = world.ask(`${FIX} setTimeout(() => {}, 3000);`);
  // The copy is made before the agent starts; then the file is the person's again.
  for (;;) {
    const [sandbox] = await readdir(join(world.stateDir, 'sandboxes')).catch((): string[] => []);
    const home =
      sandbox && (await readdir(join(world.stateDir, 'sandboxes', sandbox, 'home')).catch((): string[] => []));
    if (home?.includes('selfware-task.md')) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await world.repository.write('src/rate.mjs', 'typed\n');
  expect((await asked).refused).toContain('src/rate.mjs has been edited here meanwhile');
});

test('the exit code does not matter if there is a change; without one it is told, with what was said last', async () => {
  await using world = await createAgentWorld();
  expect(await world.ask(`${FIX} process.exit(3);`)).toMatchObject({ edits: [FIXED] });
  await expect(world.ask("console.error('Please log in.'); process.exit(3);")).rejects.toMatchObject({
    reason: 'unavailable',
    message: 'command:tried ended with 3 and changed no file. It said last: Please log in.',
    action: expect.stringContaining('login'),
  });
  const cannotOpen = "console.error('sh: 0: cannot open /x/agent.sh: No such file'); process.exit(2);";
  await expect(world.ask(cannotOpen)).rejects.toMatchObject({
    message: expect.stringMatching(/ It said last: sh: 0: cannot open \/x\/agent\.sh: No such file\.$/),
    action: expect.stringMatching(/^Check that the file exists, and that the enclosure shows it/),
  });
});

thoroughTest('an agent that never ends is ended at the deadline, and what it has changed by then counts', async () => {
  await using world = await createAgentWorld();
  const endless = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000);";
  expect(await world.ask(`${FIX} ${endless}`, { seconds: 12 })).toMatchObject({ edits: [FIXED] });
  await expect(world.ask(endless, { seconds: 3 })).rejects.toMatchObject({ reason: 'timedOut' });
});

test('the task is on standard input, in a file, or a word, as the command line wants it', async () => {
  await using world = await createAgentWorld();
  const told = `import fs from 'node:fs';
const [word] = process.argv.slice(2);
const file = word === undefined ? 0 : word.startsWith('/') ? word : null;
fs.writeFileSync('told.txt', file === null ? word : fs.readFileSync(file, 'utf8'));`;
  const prompt = 'Make "it" $(exact) {promptFile}\nnow.';
  for (const words of ['', '{promptFile}', '{prompt}'])
    expect((await world.ask(told, { words, prompt })).edits?.[0]?.after).toBe(prompt);
  const long = await world.ask(told, { words: '{prompt}', prompt: 'x'.repeat(200_000) });
  expect(long.edits?.[0]?.after).toMatch(/^Carry out the task in the file \/\S+\.$/);
});

test('it gets a copy of the login and the keys that were named, and nothing of that comes back', async () => {
  await using world = await createAgentWorld();
  const login = await put(world.home, '.agent/login.json', 'token');
  await put(world.home, '.ssh/id', 'secret');
  await put(world.home, 'elsewhere/real.json', 'linked');
  await symlink('../elsewhere/real.json', join(world.home, '.agent', 'link.json'));
  await chmod(login, 0o644);
  const { edits } = await world.ask(
    `import fs from 'node:fs'; import os from 'node:os';
const home = os.homedir();
const seen = (path) => fs.existsSync(home + '/' + path) && fs.readFileSync(home + '/' + path, 'utf8');
fs.writeFileSync('seen.json', JSON.stringify([seen('.agent/login.json'), seen('.agent/link.json'), seen('.ssh/id'),
  fs.statSync(home + '/.agent/login.json').mode & 0o777, process.env.AGENT_KEY, process.env.OTHER_KEY ?? null]));
fs.writeFileSync(home + '/.agent/login.json', 'changed');`,
    {
      login: ['.agent/login.json', '.agent/link.json', '.agent/none.json'],
      keys: ['AGENT_KEY', 'NO_SUCH_KEY'],
      env: { PATH: process.env['PATH'], AGENT_KEY: 'key', OTHER_KEY: 'other' },
    },
  );
  expect(JSON.parse(edits![0]!.after!)).toEqual(['token', 'linked', false, 0o600, 'key', null]);
  expect(await readFile(login, 'utf8')).toBe('token');
  for (const bad of ['../outside', '/etc/passwd'])
    await expect(world.ask(FIX, { login: [bad] })).rejects.toMatchObject({ reason: 'usage' });
  await expect(world.ask(FIX, { login: ['.agent'] })).rejects.toMatchObject({ reason: 'unreadable' });
});

test('where nothing can shut it in, it is not started', async () => {
  await using world = await createAgentWorld();
  const choose = () => findFirstWorking([]);
  await expect(world.ask(FIX, { choose })).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('can shut command:tried in, so it is not started'),
  });
});

test('agents are listed where their programs are, unless the repository brings them', async () => {
  await using world = await createAgentWorld();
  const programs = join(world.outside, 'bin');
  for (const place of [await put(programs, 'codex', ''), await put(world.repository.dir, 'bin/claude', '')]) {
    await writeFile(place, '#!/bin/sh\n');
    await chmod(place, 0o755);
  }
  const agentsWith = (choose?: () => ReturnType<typeof findFirstWorking>) =>
    createAgents({
      rootDir: world.repository.dir,
      env: { PATH: `${join(world.repository.dir, 'bin')}:${programs}:${process.env['PATH']}` },
      log: silentLog,
      acpClient: '/nowhere',
      commands: {
        here: 'sh -c true',
        gone: 'no-such-program',
        inside: join(world.repository.dir, 'bin/claude'),
        broken: 'sh "-c',
      },
      sandbox: () => ({ isolation: async () => (choose ? (await choose()).isolation : { confined: true }) }) as never,
    });
  const listed = await agentsWith().list();
  expect(listed.map(({ name, destination, available }) => [name, destination, available])).toEqual([
    ['agent:codex', 'api.openai.com, chatgpt.com, auth.openai.com', true],
    ['command:here', null, true],
    // One that cannot be read hides no other.
    ['command:broken', null, false],
  ]);
  expect(listed.at(-1)!.why).toContain('open quote');
  const open = await agentsWith(() => findFirstWorking([])).list();
  expect(open.map(({ available, why }) => [available, why.includes('cannot isolate')])).toEqual([
    [false, true],
    [false, true],
    [false, false],
  ]);
});

test.each([
  ['an agent', 'known', 'constructor', /no agent constructor/],
  ['an agent of the protocol', 'acp', 'constructor', /no agent constructor/],
  ['a command', 'own', 'toString', /no command toString/],
  ['a command line with an open quote', 'own', 'open', /open quote/],
  ['an empty command line', 'own', 'empty', /is empty/],
] as const)('%s that nobody can mean is refused', async (_what, source, agent, message) => {
  const agents = createAgents({
    rootDir: '/nowhere',
    env: {},
    log: silentLog,
    acpClient: '/nowhere',
    commands: { open: 'agent "a', empty: '  ' },
    sandbox: () => {
      throw new Error('Nothing is opened.');
    },
  });
  expect(() => agents.open('name', source, agent)).toThrow(message);
});

test('a program that is not there is told with what to do', async () => {
  await using world = await createAgentWorld();
  await expect(world.ask(FIX, { env: { PATH: '/nowhere' } })).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('needs the program node'),
  });
});

test('the page tells of each agent which hosts it reaches, and which files it gets a copy of', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/models.md'), 'utf8');
  const rows = page.split('\n').flatMap((line) => {
    const [, name, , hosts = '', login = ''] = line.split('|').map((cell) => cell.trim());
    const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
    return /^`agent:\w+`$/.test(name ?? '') ? [[quoted(name!)[0], quoted(hosts), quoted(login)]] : [];
  });
  const known = Object.entries(AGENTS).map(([name, { hosts, login }]) => [
    `agent:${name}`,
    hosts,
    login.map((file) => `~/${file}`),
  ]);
  expect(rows).toEqual(known);
});
