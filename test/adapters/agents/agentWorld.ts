// A repository, an agent that is a program of Node, and the enclosure in which it really runs.

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createAgents, type AgentsOptions } from '../../../server/src/adapters/agents/agents.ts';
import { createSandbox, type SandboxParts } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import type { ProposerReply, ProposerRequest, TrafficLimit } from '../../../server/src/core/ports/proposers.ts';
import { findBundledScript } from '../../helpers/bundledScript.ts';
import { chooseIsolationUnderAttack } from '../../helpers/isolation.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { never, silentLog } from '../sandbox/sandboxOf.ts';

export interface AgentWorld {
  readonly repository: TemporaryRepository;
  /** A folder of the machine that no agent may see or change. */
  readonly outside: string;
  /** Holds the sandboxes while they are open. */
  readonly stateDir: string;
  /** Where logins lie. */
  readonly home: string;
  /** Has an agent work that does what `script` says, as a module of Node. */
  ask(script: string, options?: Asking): Promise<ProposerReply>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Asking extends Partial<Pick<AgentsOptions, 'env' | 'gate' | 'sandbox' | 'tools'>> {
  readonly hosts?: readonly string[];
  readonly login?: readonly string[];
  readonly keys?: readonly string[];
  readonly protocol?: 'command' | 'acp';
  /** Behind the script. */
  readonly words?: string;
  readonly seconds?: number;
  readonly maxTraffic?: TrafficLimit;
  readonly signal?: AbortSignal;
  readonly choose?: SandboxParts['chooseMechanism'];
  readonly prompt?: string;
  readonly onText?: (characters: number) => void;
  readonly onToolCalls?: AgentsOptions['onToolCalls'];
}

export const FILES = { 'src/rate.mjs': 'export const rate = (value) => value / 10;\n', '.gitignore': 'dist/\n' };

const acpEntry = join(import.meta.dirname, '../../../server/src/adapters/agents/acp/main.ts');

/** With `files` committed. */
export async function createAgentWorld(files: Readonly<Record<string, string>> = FILES): Promise<AgentWorld> {
  const repository = await createTemporaryRepository(files);
  const temporary = await realpath(await mkdtemp(join(tmpdir(), 'selfware-agents-')));
  const [outside, stateDir, home, programs] = ['outside', 'state', 'home', 'programs'].map((name) =>
    join(temporary, name),
  );
  for (const folder of [outside!, stateDir!, home!, programs!]) await mkdir(folder);
  return {
    repository,
    outside: outside!,
    stateDir: stateDir!,
    home: home!,
    async ask(
      script,
      {
        hosts = [],
        login = [],
        keys = [],
        protocol = 'command',
        words = '',
        seconds = 60,
        signal = never,
        ...options
      } = {},
    ) {
      const place = join(programs!, 'agent.mjs');
      await writeFile(place, script);
      const agents = createAgents({
        rootDir: repository.dir,
        env: options.env ?? { PATH: process.env['PATH'] },
        log: silentLog,
        home: home!,
        acpClient: await findBundledScript(acpEntry),
        commands: { tried: { command: `node ${place} ${words}`, hosts, login, keys, protocol } },
        ...(options.gate ? { gate: options.gate } : {}),
        ...(options.tools ? { tools: options.tools } : {}),
        ...(options.onToolCalls ? { onToolCalls: options.onToolCalls } : {}),
        sandbox:
          options.sandbox ??
          ((shown) =>
            createSandbox(repository.dir, stateDir!, {
              clock: systemClock,
              ids: createIds(systemClock),
              log: silentLog,
              shownFolders: shown,
              chooseMechanism:
                options.choose ??
                (() => chooseIsolationUnderAttack({ stateDir: stateDir!, repository: repository.dir })),
            })),
      });
      return agents.open('command:tried', 'own', 'tried').ask(
        {
          ...requestOf(options.prompt ?? 'Make the rate exact.', seconds),
          ...(options.maxTraffic === undefined ? {} : { maxTraffic: options.maxTraffic }),
        },
        signal,
        options.onText ?? (() => undefined),
      );
    },
    async [Symbol.asyncDispose]() {
      await repository.dispose();
      await rm(temporary, { recursive: true, force: true });
    },
  };
}

/** A file below a folder of the world, with the folders above it. */
export async function put(folder: string, path: string, text: string): Promise<string> {
  const place = join(folder, path);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, text);
  return place;
}

function requestOf(prompt: string, seconds: number): ProposerRequest {
  return {
    id: 'question',
    task: { kind: 'request', id: 'wish', opportunity: null, path: null },
    messages: [{ role: 'user', content: prompt }],
    maxTokens: 1000,
    deadline: Date.now() + seconds * 1000,
  };
}
