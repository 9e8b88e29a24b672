// The real Gemini CLI in our enclosure, spoken to by the Agent Client Protocol, with a model that a peer plays:
// `npm test -- --lane agents`, which installs it from npm.

import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACP_COMMANDS, AGENTS } from '../../../server/src/adapters/agents/agentTable.ts';
import { createAgents } from '../../../server/src/adapters/agents/agents.ts';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { createAgentWorld, FILES, put, type AgentWorld } from '../../adapters/agents/agentWorld.ts';
import { livingIn, never, silentLog } from '../../adapters/sandbox/sandboxOf.ts';
import { findBundledScript } from '../../helpers/bundledScript.ts';

const GEMINI = '@google/gemini-cli@0.61.0';
const peer = join(import.meta.dirname, 'geminiPeer.mjs');
const acpEntry = join(import.meta.dirname, '../../../server/src/adapters/agents/acp/main.ts');
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'selfware-gemini-')));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  await promisify(execFile)('npm', ['install', ...options, GEMINI]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The arguments of our table, but with the peer in the place of Google. */
async function asked(world: AgentWorld, old: string, replacement: string, seconds: number) {
  const gemini = join(folder, 'node_modules/.bin/gemini');
  const words = ['node', peer, old, replacement, gemini, ...ACP_COMMANDS['gemini']!.args];
  const command = words.map((word) => `'${word}'`).join(' ');
  const { login } = AGENTS['gemini']!;
  const agents = createAgents({
    rootDir: world.repository.dir,
    env: { PATH: process.env['PATH'] },
    log: silentLog,
    home: world.home,
    acpClient: await findBundledScript(acpEntry),
    commands: { gemini: { command, hosts: [], login, keys: [], protocol: 'acp' } },
    sandbox: (shown) =>
      createSandbox(world.repository.dir, world.stateDir, {
        clock: systemClock,
        ids: createIds(systemClock),
        log: silentLog,
        shownFolders: shown,
      }),
  });
  return agents.open('command:gemini', 'own', 'gemini').ask(
    {
      id: 'question',
      task: { kind: 'request', id: 'wish', opportunity: null, path: null },
      messages: [{ role: 'user', content: 'Make the rate exact.' }],
      maxTokens: 1000,
      deadline: Date.now() + seconds * 1000,
    },
    never,
    () => undefined,
  );
}

test('it asks before it edits, and the edit is the proposal; the user’s tree is as it was', async () => {
  await using world = await createAgentWorld();
  const { edits, text } = await asked(world, '/ 10;', '/ 100;', 240);
  const after = FILES['src/rate.mjs'].replace('/ 10;', '/ 100;');
  expect([edits, text]).toEqual([
    [{ path: 'src/rate.mjs', before: FILES['src/rate.mjs'], after }],
    'A rate is per cent.',
  ]);
  expect(await world.repository.read('src/rate.mjs')).toBe(FILES['src/rate.mjs']);
});

test('with a model that never comes to an end, it is stopped, and nothing of it is left', async () => {
  await using world = await createAgentWorld();
  const canary = await put(world.outside, 'canary.txt', 'sings');
  await expect(asked(world, 'loop', canary, 60)).rejects.toMatchObject({
    message: expect.stringContaining('ended with 1 and changed no file'),
  });
  expect(await livingIn(world.stateDir)).toEqual([]);
  expect(await world.repository.read('src/rate.mjs')).toBe(FILES['src/rate.mjs']);
});
