// A repository with an open session, and the tools of agents on it.

import { join } from 'node:path';
import type { ToolParts } from '../../../server/src/adapters/agents/agentProposer.ts';
import { createApp } from '../../../server/src/app/createApp.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';
import { createAgentTools } from '../../../server/src/tools/forAgents.ts';
import { findBundledScript } from '../../helpers/bundledScript.ts';
import { never, silentLog } from '../sandbox/sandboxOf.ts';
import { createAgentWorld, type AgentWorld } from './agentWorld.ts';

const entry = join(import.meta.dirname, '../../../server/src/adapters/agents/tools/main.ts');

export interface ToolWorld extends AgentWorld {
  readonly session: Session;
  readonly tools: ToolParts;
}

/** With `files` committed, indexed and analysed. */
export async function createToolWorld(files?: Readonly<Record<string, string>>): Promise<ToolWorld> {
  const world = await createAgentWorld(files);
  const env = { PATH: process.env['PATH'], SELFWARE_HOME: join(world.home, 'selfware') };
  const options = { rootDir: world.repository.dir, settings: defaultSettings, trusted: true, env, log: silentLog };
  const { session } = await createApp(options);
  await session.open({ signal: never });
  await session.memory.index({ signal: never });
  await session.analysis.analyse({ signal: never });
  const onFault = (error: unknown) => {
    throw error;
  };
  return {
    ...world,
    session,
    tools: { open: async () => createAgentTools(() => session, onFault), program: await findBundledScript(entry) },
    async [Symbol.asyncDispose]() {
      await session.close();
      await world[Symbol.asyncDispose]();
    },
  };
}
