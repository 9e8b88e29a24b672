// Coding agents of this machine, by name: those that Selfware knows, and command lines in a person's own settings.

import { describeError, SelfwareError } from '../../util/typedError.ts';
import type { AvailableProposer, Proposer } from '../../core/ports/proposers.ts';
import { AGENTS } from './agentTable.ts';
import { agentProgram } from './agentProgram.ts';
import type { Agent } from './agent.ts';
import { canShutIn, createAgentProposer, destinationOf, type AgentParts } from './agentProposer.ts';
import { wordsOf } from './commandWords.ts';

/** A command line that a person has set up, with its permissions. */
export type AgentCommand =
  | string
  | {
      readonly command: string;
      readonly hosts: readonly string[];
      readonly login: readonly string[];
      readonly keys: readonly string[];
    };

export interface AgentsOptions extends AgentParts {
  /** Command lines in the person's own settings, by name. */
  readonly commands: Readonly<Record<string, AgentCommand>>;
}

export interface Agents {
  /**
   * Opens an agent. `agent`: its name in `AGENTS` (`known`) or in `commands` (`own`). Runs nothing. Throws `usage` for
   * an unknown name.
   */
  open(name: string, source: 'known' | 'own', agent: string): Proposer;
  /** Lists the installed agents, and command lines that cannot be read, with the reason. Runs none of them. */
  list(): Promise<readonly AvailableProposer[]>;
}

/** All coding agents that a person can name. */
export function createAgents(options: AgentsOptions): Agents {
  const { commands, env, rootDir } = options;
  return {
    open: (name, source, agent) =>
      createAgentProposer(name, source === 'known' ? knownAgent(agent) : commandAgent(agent, commands), options),
    async list() {
      const broken: AvailableProposer[] = [];
      const listed = Object.keys(AGENTS).map((agent) => ({ name: `agent:${agent}`, agent: knownAgent(agent) }));
      for (const command of Object.keys(commands)) {
        const name = `command:${command}`;
        try {
          listed.push({ name, agent: commandAgent(command, commands) });
        } catch (error) {
          broken.push({ name, destination: null, available: false, why: describeError(error) });
        }
      }
      const installed = listed.filter(
        ({ agent }) => agentProgram(agent.words[0]!, env['PATH'] ?? '', rootDir) !== null,
      );
      if (installed.length === 0) return broken;
      const available = canShutIn(await options.sandbox([]).isolation());
      const why = available
        ? 'A coding agent, which works in an enclosure.'
        : 'A coding agent, and nothing on this machine can shut it in: `selfware doctor` says what would help.';
      return [
        ...installed.map(({ name, agent }) => ({ name, destination: destinationOf(agent), available, why })),
        ...broken,
      ];
    },
  };
}

function knownAgent(name: string): Agent {
  const template = Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
  if (!template)
    throw new SelfwareError('usage', `There is no agent ${name.slice(0, 100)}.`, {
      action: `Say one of: ${Object.keys(AGENTS).join(', ')}; or name a command of your own in models.commands.`,
    });
  const { program, args, ...permissions } = template;
  return { ...permissions, words: [program, ...args], descriptionLine: 'first' };
}

function commandAgent(name: string, commands: AgentsOptions['commands']): Agent {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new SelfwareError('usage', `There is no command ${name.slice(0, 100)}.`, {
      action: 'Name it in models.commands, in your own settings.',
    });
  if (typeof command === 'string')
    return { words: wordsOf(command), hosts: [], login: [], keys: [], env: {}, descriptionLine: 'last' };
  const { command: line, ...permissions } = command;
  return { ...permissions, words: wordsOf(line), env: {}, descriptionLine: 'last' };
}
