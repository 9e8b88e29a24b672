// Runs the search program that a person has named, for one query. It runs in an enclosure that shows nothing of the
// repository, with the hosts and the time that its settings allow.

import { basename } from 'node:path';
import type { Research } from '../../core/ports/research.ts';
import type { RunResult } from '../../core/ports/sandbox.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { openNetworkGate, SOCKET_NAME, type GateOptions, type NetworkGate } from '../packages/networkGate.ts';
import { findCertificates, findProxy } from '../packages/packages.ts';
import { createRelayCommand } from '../packages/relay.ts';
import type { OwnSandbox } from '../sandbox/sandbox.ts';
import { findAgentProgram, findFoldersToShow } from './agentProgram.ts';
import { canIsolate } from './agentProposer.ts';
import { splitCommandLine } from './commandLine.ts';
import { removeTokens } from './leakedLogin.ts';
import { PROXY_ENVIRONMENT } from './runAgent.ts';

/** The setting `models.research`. */
export interface ResearchSettings {
  /** The command line of the program, in which `{query}` stands for the query. */
  readonly command: string;
  /** Hosts that the program may reach. */
  readonly hosts: readonly string[];
  /** Names of environment variables that the program gets. */
  readonly keys: readonly string[];
  /** Maximum number of seconds for one query. */
  readonly seconds: number;
  /** Maximum number of queries about one task within 24 hours. */
  readonly questions: number;
}

/** The parts with which the search program is run. */
export interface ResearchParts {
  readonly rootDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Creates an empty sandbox that shows these folders. */
  sandbox(visiblePaths: readonly string[]): OwnSandbox;
  /** The way in which hosts are reached. If absent, through the network of this machine. */
  readonly gate?: Pick<GateOptions, 'resolve' | 'connectTo'>;
}

/** Maximum number of bytes of an answer that are kept; longer output is cut in the middle. */
const OUTPUT_BYTES = 256 * 1024;
/** Maximum number of bytes that the program may exchange with its hosts. */
const MAX_NETWORK_BYTES = 64 * 1024 ** 2;
/** Milliseconds between the signal that asks the program to end and the one that kills it. */
const GRACE_MS = 500;
/** Maximum number of characters of the program's message in an error. */
const MAX_QUOTED_CHARACTERS = 300;

/**
 * The search program of these settings; undefined if none is named. Runs nothing. `search` throws `usage` for a command
 * line that cannot be read, `unavailable`, `timedOut` and `cancelled`.
 */
export function createResearch(settings: ResearchSettings, parts: ResearchParts): Research | undefined {
  const { command, hosts, keys, seconds, questions } = settings;
  if (command.trim() === '') return undefined;
  const { env, rootDir } = parts;
  return {
    tool: findToolName(command),
    destination: hosts.length === 0 ? null : hosts.join(', '),
    questions,
    async search(query, signal) {
      const [wantedProgram = '', ...args] = splitCommandLine(command, 'models.research');
      const program = findAgentProgram(wantedProgram, env['PATH'] ?? '', rootDir);
      if (program === null)
        throw new SelfwareError('unavailable', `Online research needs ${wantedProgram}, and it is not on the path.`, {
          action: 'Install it outside of the repository, or correct models.research.',
        });
      const sandbox = parts.sandbox(findFoldersToShow(program, args, rootDir));
      if (!canIsolate(await sandbox.isolation()))
        throw new SelfwareError(
          'unavailable',
          `Nothing on this machine can shut ${wantedProgram} in, so it is not started.`,
          {
            action: 'Run `selfware doctor`: it says what would help.',
          },
        );
      const worktree = await sandbox.open(signal);
      try {
        const options = { ...parts.gate, upstream: findProxy(env), refusesPrivate: true, maxBytes: MAX_NETWORK_BYTES };
        await using gate =
          hosts.length === 0 ? null : await openNetworkGate(worktree.folders.temporary, hosts, options);
        const forwardedKeys = Object.fromEntries(
          keys.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]]])),
        );
        const commandLine = [program, ...insertQuery(args, query)];
        const result = await worktree.run(
          {
            command: gate ? createRelayCommand(SOCKET_NAME, commandLine) : commandLine,
            env: { ...(gate ? { ...PROXY_ENVIRONMENT, ...findCertificates(env) } : {}), ...forwardedKeys },
            timeoutMs: seconds * 1000,
            graceMs: GRACE_MS,
            maxOutputBytes: OUTPUT_BYTES,
          },
          signal,
        );
        throwIfCancelled(signal);
        const redactTokens = (text: string) => removeTokens(text, Object.values(forwardedKeys));
        if (result.outcome === 'exited' && result.exitCode === 0) return redactTokens(result.stdout);
        throw createSearchError(wantedProgram, result, seconds, gate, redactTokens);
      } finally {
        await worktree.dispose();
      }
    },
  };
}

/** The name of the program. If the command line cannot be read, which `search` reports, the start of it. */
function findToolName(command: string): string {
  try {
    return basename(splitCommandLine(command, 'models.research')[0]!);
  } catch {
    return command.slice(0, 100);
  }
}

/** The arguments with the query in place of `{query}`, or else at the end. No shell interprets it. */
function insertQuery(args: readonly string[], query: string): readonly string[] {
  if (!args.some((word) => word.includes('{query}'))) return [...args, query];
  return args.map((word) => word.replaceAll('{query}', () => query));
}

function createSearchError(
  program: string,
  { outcome, exitCode, exceeded, stdout, stderr }: RunResult,
  seconds: number,
  gate: NetworkGate | null,
  redact: (text: string) => string,
): SelfwareError {
  if (outcome === 'timedOut')
    return new SelfwareError('timedOut', `${program} gave no answer within ${seconds} seconds.`, {
      action: 'Raise `seconds` in models.research, or use another program.',
    });
  const endText =
    outcome === 'notFound'
      ? 'could not be started'
      : exceeded !== undefined
        ? `was ended because it took ${exceeded}`
        : `ended with ${exitCode}`;
  const hosts =
    gate && gate.refused.length > 0 ? ` It asked for other hosts: ${gate.refused.slice(0, 5).join(', ')}.` : '';
  const message = redact(stderr.trim() || stdout.trim())
    .slice(-MAX_QUOTED_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim();
  return new SelfwareError(
    'unavailable',
    `${program} ${endText}.${hosts}${message === '' ? '' : ` It said last: ${message}${/[.!?…]$/.test(message) ? '' : '.'}`}`,
    {
      action: 'Correct models.research.',
    },
  );
}
