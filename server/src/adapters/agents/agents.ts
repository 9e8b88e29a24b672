// Opens and lists the coding agents of this machine: those that Selfware knows, and command lines in a person's own
// settings.

import { describeError, SelfwareError } from '../../util/typedError.ts';
import type { AvailableProposer, Proposer } from '../../core/ports/proposers.ts';
import { ACP_COMMANDS, AGENTS } from './agentTable.ts';
import { findAgentProgram } from './agentProgram.ts';
import type { Agent, AgentProtocol } from './agent.ts';
import { canIsolate, createAgentProposer, describeDestination, type AgentParts } from './agentProposer.ts';
import { splitCommandLine } from './commandLine.ts';

/** A command line that a person has set up, with its permissions. */
export type AgentCommand =
  | string
  | {
      readonly command: string;
      /** Hosts that the agent may contact. */
      readonly hosts: readonly string[];
      /** Paths below the home folder of files with the person's login. The agent gets copies of them. */
      readonly login: readonly string[];
      /** Names of environment variables with keys, which the agent gets. */
      readonly keys: readonly string[];
      readonly protocol: AgentProtocol;
    };

/**
 * The table in which the name of an agent is looked up: `known`: `AGENTS`; `acp`: `ACP_COMMANDS`; `own`: the person's
 * commands.
 */
export type AgentSource = 'known' | 'acp' | 'own';

/** The parts with which agents are run, and the commands that a person has set up. */
export interface AgentsOptions extends AgentParts {
  /** Command lines in the person's own settings, by name. */
  readonly commands: Readonly<Record<string, AgentCommand>>;
}

/** Opens and lists the coding agents of this machine. */
export interface Agents {
  /**
   * Opens an agent. `agent`: its name in the table that `source` names. Runs nothing. Throws `usage` for an unknown
   * name, and for a command line that cannot be read.
   */
  open(name: string, source: AgentSource, agent: string): Proposer;
  /** Lists the installed agents, and command lines that cannot be read, with the reason. Runs none of them. */
  list(): Promise<readonly AvailableProposer[]>;
}

/** Creates the access to all coding agents that a person can name. */
export function createAgents(options: AgentsOptions): Agents {
  const { commands, env, rootDir } = options;
  return {
    open: (name, source, agent) => createAgentProposer(name, createAgent(source, agent, commands), options),
    async list() {
      const unusableCommands: AvailableProposer[] = [];
      const listedAgents = [
        ...Object.keys(AGENTS).map((agent) => ({ name: `agent:${agent}`, agent: findKnownAgent(agent) })),
        ...Object.keys(ACP_COMMANDS).map((agent) => ({ name: `acp:${agent}`, agent: createAcpAgent(agent) })),
      ];
      for (const command of Object.keys(commands)) {
        const name = `command:${command}`;
        try {
          listedAgents.push({ name, agent: createCommandAgent(command, commands) });
        } catch (error) {
          unusableCommands.push({ name, destination: null, available: false, why: describeError(error) });
        }
      }
      const installedAgents = listedAgents.filter(
        ({ agent }) => findAgentProgram(agent.commandLine[0]!, env['PATH'] ?? '', rootDir) !== null,
      );
      if (installedAgents.length === 0) return unusableCommands;
      const isAvailable = canIsolate(await options.sandbox([]).isolation());
      const reason = isAvailable
        ? 'A coding agent, which works in an enclosure.'
        : 'A coding agent, which this machine cannot isolate; run `selfware doctor` for advice.';
      return [
        ...installedAgents.map(({ name, agent }) => ({
          name,
          destination: describeDestination(agent),
          available: isAvailable,
          why: reason,
        })),
        ...unusableCommands,
      ];
    },
  };
}

function createAgent(source: AgentSource, agent: string, commands: AgentsOptions['commands']): Agent {
  if (source === 'own') return createCommandAgent(agent, commands);
  return source === 'acp' ? createAcpAgent(agent) : findKnownAgent(agent);
}

function findKnownAgent(name: string): Agent {
  const { program, args, ...permissions } = requireTemplate(name, AGENTS);
  return { ...permissions, commandLine: [program, ...args], protocol: 'command', descriptionLine: 'first' };
}

function createAcpAgent(name: string): Agent {
  const { program, args, env, mcp } = requireTemplate(name, ACP_COMMANDS);
  const { mcp: _, ...agent } = findKnownAgent(name);
  return {
    ...agent,
    env: { ...agent.env, ...env },
    ...(mcp ? { mcp } : {}),
    commandLine: [program, ...args],
    protocol: 'acp',
    descriptionLine: 'last',
  };
}

function requireTemplate<T>(name: string, table: Readonly<Record<string, T>>): T {
  const template = Object.hasOwn(table, name) ? table[name] : undefined;
  if (template) return template;
  throw new SelfwareError('usage', `There is no agent ${name.slice(0, 100)}.`, {
    action: `Choose one of: ${Object.keys(table).join(', ')}; or name a command of your own in models.commands.`,
  });
}

function createCommandAgent(name: string, commands: AgentsOptions['commands']): Agent {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new SelfwareError('usage', `There is no command ${name.slice(0, 100)}.`, {
      action: 'Name it in models.commands, in your own settings.',
    });
  const settings =
    typeof command === 'string' ? { command, hosts: [], login: [], keys: [], protocol: 'command' as const } : command;
  const { command: line, ...permissions } = settings;
  return { ...permissions, commandLine: splitCommandLine(line), env: {}, descriptionLine: 'last' };
}
