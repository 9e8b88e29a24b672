// The real Codex CLI in our enclosure, with a model that a peer plays: `npm test -- --lane agents`, which installs it
// from npm.

import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGENTS } from '../../../server/src/adapters/agents/agentTable.ts';
import { createAgents } from '../../../server/src/adapters/agents/agents.ts';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { createAgentWorld, FILES, put, type AgentWorld } from '../../adapters/agents/agentWorld.ts';
import { never, silentLog } from '../../adapters/sandbox/sandboxOf.ts';

const CODEX = '@openai/codex@0.169.0';
const peer = join(import.meta.dirname, 'peer.mjs');
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'selfware-codex-')));
  await promisify(execFile)('npm', [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder,
    CODEX,
  ]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The arguments of our table, but with the peer in the place of OpenAI. */
async function asked(world: AgentWorld, command: string) {
  const codex = join(folder, 'node_modules/.bin/codex');
  const line = ['node', peer, JSON.stringify(command), codex, ...AGENTS['codex']!.args].join(' ');
  const agents = createAgents({
    rootDir: world.repository.dir,
    env: { PATH: process.env['PATH'] },
    log: silentLog,
    home: world.home,
    acpClient: '/nowhere',
    commands: { codex: { command: line, hosts: [], login: AGENTS['codex']!.login, keys: [], protocol: 'command' } },
    sandbox: (shown) =>
      createSandbox(world.repository.dir, world.stateDir, {
        clock: systemClock,
        ids: createIds(systemClock),
        log: silentLog,
        shownFolders: shown,
      }),
  });
  return agents.open('command:codex', 'own', 'codex').ask(
    {
      id: 'question',
      task: { kind: 'request', id: 'wish', opportunity: null, path: null },
      messages: [{ role: 'user', content: 'Make the rate exact.' }],
      maxTokens: 1000,
      deadline: Date.now() + 120_000,
    },
    never,
    () => undefined,
  );
}

test('it edits by its own tool, and that is the proposal; the user’s tree is as it was', async () => {
  await using world = await createAgentWorld();
  const { edits, text } = await asked(world, "sed -i 's,/ 10;,/ 100;,' src/rate.mjs");
  const after = FILES['src/rate.mjs'].replace('/ 10;', '/ 100;');
  expect([edits, text]).toEqual([
    [{ path: 'src/rate.mjs', before: FILES['src/rate.mjs'], after }],
    'A rate is per cent.',
  ]);
  expect(await world.repository.read('src/rate.mjs')).toBe(FILES['src/rate.mjs']);
});

test('its sandbox is off and ours is on: it writes nothing outside, sees no home and reaches nobody', async () => {
  await using world = await createAgentWorld();
  const canary = await put(world.outside, 'canary.txt', 'sings');
  await symlink(canary, join(world.home, 'link'));
  const { edits } = await asked(
    world,
    `(echo x > ${canary}; cat ${canary}; cat ${world.home}/link; curl -m 3 -sI https://example.com;` +
      ' ls ~) > seen.txt 2>/dev/null; true',
  );
  expect(edits).toEqual([{ path: 'seen.txt', before: null, after: 'selfware-task.md\n' }]);
  expect(await promisify(execFile)('cat', [canary])).toMatchObject({ stdout: 'sings' });
});
