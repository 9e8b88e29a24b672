// Real agents in our enclosure, with a model that a peer plays: each finds Selfware's MCP server, asks it and proposes.
// `npm test -- --lane agents` installs them from npm.

import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentProtocol } from '../../../server/src/adapters/agents/agent.ts';
import { createAgentProposer } from '../../../server/src/adapters/agents/agentProposer.ts';
import { ACP_COMMANDS, AGENTS } from '../../../server/src/adapters/agents/agentTable.ts';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { FILES } from '../../adapters/agents/agentWorld.ts';
import { createToolWorld } from '../../adapters/agents/toolWorld.ts';
import { never, silentLog } from '../../adapters/sandbox/sandboxOf.ts';
import { findBundledScript } from '../../helpers/bundledScript.ts';

const run = promisify(execFile);
const peer = join(import.meta.dirname, 'toolPeer.mjs');
const acpEntry = join(import.meta.dirname, '../../../server/src/adapters/agents/acp/main.ts');
/** Where the packages are; so that a run can use those of another one. */
const installed = process.env['SELFWARE_TEST_AGENTS'];
let folder: string;
beforeAll(async () => {
  folder = installed ?? (await realpath(await mkdtemp(join(tmpdir(), 'selfware-agents-'))));
});
afterAll(async () => {
  if (installed === undefined) await rm(folder, { recursive: true, force: true });
});

/** Installs a package without its scripts. Two of them only put the program of this system into its place. */
async function install(spec: string, script?: string): Promise<void> {
  const place = join(folder, spec.replaceAll(/[@/]/g, '_'));
  if (installed !== undefined) return;
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', place, spec]);
  if (script !== undefined) await run(process.execPath, [join(place, 'node_modules', script)]);
}

const CLAUDE = '@anthropic-ai/claude-code@2.1.332';
const OPENCODE = 'opencode-ai@1.18.33';

test.each([
  ['codex', 'command', '@openai/codex@0.171.0'],
  ['gemini', 'command', '@google/gemini-cli@0.61.0'],
  ['claude', 'command', CLAUDE, '@anthropic-ai/claude-code/install.cjs'],
  ['copilot', 'command', '@github/copilot@1.0.102'],
  ['opencode', 'command', OPENCODE, 'opencode-ai/postinstall.mjs'],
  ['qwen', 'command', '@qwen-code/qwen-code@0.15.10'],
  ['qwen', 'acp', '@qwen-code/qwen-code@0.15.10'],
  ['gemini', 'acp', '@google/gemini-cli@0.61.0'],
  ['claude', 'acp', '@agentclientprotocol/claude-agent-acp@0.101.0'],
  ['codex', 'acp', '@agentclientprotocol/codex-acp@2.6.0'],
  ['copilot', 'acp', '@github/copilot@1.0.102'],
  ['opencode', 'acp', OPENCODE, 'opencode-ai/postinstall.mjs'],
] as const)(
  '%s by %s (%s) asks the server and proposes',
  async (name, protocol: AgentProtocol, spec, script?: string) => {
    await using world = await createToolWorld();
    await install(spec, script);
    const { mcp: _, ...template } = AGENTS[name]!;
    const { program, args, env, mcp } = (protocol === 'acp' ? ACP_COMMANDS : AGENTS)[name]!;
    const bin = join(folder, spec.replaceAll(/[@/]/g, '_'), 'node_modules/.bin', program);
    const agent = {
      ...template,
      ...(mcp ? { mcp } : {}),
      env: { ...template.env, ...env },
      ...{ hosts: [], keys: [], protocol, descriptionLine: 'last' as const },
      commandLine: ['node', peer, '/ 10;', '/ 100;', bin, ...args],
    };
    const proposer = createAgentProposer(name, agent, {
      rootDir: world.repository.dir,
      env: { PATH: process.env['PATH'] },
      log: silentLog,
      home: world.home,
      acpClient: await findBundledScript(acpEntry),
      tools: world.tools,
      sandbox: (shown) =>
        createSandbox(world.repository.dir, world.stateDir, {
          clock: systemClock,
          ids: createIds(systemClock),
          log: silentLog,
          shownFolders: shown,
        }),
    });
    const { edits, text } = await proposer.ask(
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
    const after = FILES['src/rate.mjs'].replace('/ 10;', '/ 100;');
    expect([edits, text]).toEqual([
      [{ path: 'src/rate.mjs', before: FILES['src/rate.mjs'], after }],
      'A rate is per cent.',
    ]);
    expect(await world.repository.read('src/rate.mjs')).toBe(FILES['src/rate.mjs']);
  },
);
