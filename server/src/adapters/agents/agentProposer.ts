// Makes a coding agent a proposer. The agent works in a separate sandbox, and its answer is the change that it has made
// there. The change of an agent that was started by its command line is taken even if the agent fails or runs out of
// time, but not if it was ended because its budget was used up. The change of an agent that speaks the Agent Client
// Protocol is taken only if the agent reports that it has finished.

import { estimateTokens } from '../../util/tokens.ts';
import { formatCount } from '../../util/counted.ts';
import { amountText } from '../../util/amountText.ts';
import { asSentence } from '../../util/values/asSentence.ts';
import { homedir } from 'node:os';
import { SelfwareError } from '../../util/typedError.ts';
import type { FileEdit } from '../../core/model.ts';
import type { AgentTools, AgentWork } from '../../core/ports/agentTools.ts';
import type { Proposer, ProposerReply, ProposerRequest, TrafficLimit, Usage } from '../../core/ports/proposers.ts';
import { computeAmount, estimateLimitedTokens, estimateTrafficUsage } from '../../util/values/traffic.ts';
import type { Isolation, RunResult } from '../../core/ports/sandbox.ts';
import type { Log } from '../../core/ports/system.ts';
import { readBelow } from '../files/safeRead.ts';
import { openNetworkGate, type GateOptions, type NetworkGate } from '../packages/networkGate.ts';
import { findProxy } from '../packages/packages.ts';
import type { OwnSandbox, SandboxWorktree } from '../sandbox/sandbox.ts';
import type { Agent } from './agent.ts';
import { findAgentProgram, findFoldersToShow } from './agentProgram.ts';
import { computeDifference, readEntries } from './workTreeChanges.ts';
import { findLeakingPath, removeTokens } from './leakedLogin.ts';
import { shareLogin } from './shareLogin.ts';
import { createUserTree } from './userTree.ts';
import type { ReportedCalls } from './acp/toolCalls.ts';
import { readToolCalls } from './readToolCalls.ts';
import { runAgent } from './runAgent.ts';
import { createAgentWork } from './tools/agentWork.ts';
import { provideTools, type McpServer } from './tools/provideTools.ts';
import { openToolBroker, type ToolLimits } from './tools/toolBroker.ts';

/** The parts with which agents are run. */
export interface AgentParts {
  readonly rootDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Returns the value of an environment variable for a key; undefined if it has none. If absent, the value in `env` is
   * used.
   */
  readonly findKey?: (variable: string) => string | undefined;
  readonly log: Log;
  /** Creates a sandbox that also shows these folders. It is used for one run. */
  sandbox(visiblePaths: readonly string[]): OwnSandbox;
  /** Path of the bundle of `acp/main.ts`, in one file. */
  readonly acpClient: string;
  /** The tools that agents may call; absent if they get none. */
  readonly tools?: ToolParts;
  /** Receives the calls of tools that an agent with the Agent Client Protocol has reported, however it has ended. */
  onToolCalls?(calls: readonly ReportedCalls[]): Promise<void>;
  /** The folder in which the logins lie. If absent, the user's home. */
  readonly home?: string;
  /** The way in which hosts are reached. If absent, through the network of this machine. */
  readonly gate?: Pick<GateOptions, 'resolve' | 'connectTo'>;
}

/** The parts with which agents get tools. */
export interface ToolParts {
  /** Creates the tools; called for each run. */
  open(): Promise<AgentTools>;
  /** Path of the bundle of `tools/main.ts`, in one file. */
  readonly program: string;
  /** Default: `TOOL_LIMITS`. */
  readonly limits?: ToolLimits;
}

/** Maximum number of bytes that an agent may exchange with its hosts. An agent that sends endlessly is stopped. */
const MAX_NETWORK_BYTES = 1024 ** 3;
/** Maximum number of characters of the agent's message in a refusal. */
const MAX_QUOTED_CHARACTERS = 300;

/** The advice if an agent has used up its budget. */
const OVERSPENT_ADVICE = 'Raise models.tokensPerTask, models.tokensPerDay or the limit of money, or use another agent.';

/** The hosts to which code may be sent, as a list for a person; null if there are none. */
export function describeDestination({ hosts }: Pick<Agent, 'hosts'>): string | null {
  return hosts.length === 0 ? null : hosts.join(', ');
}

function createMissingProgramError(name: string, { commandLine }: Pick<Agent, 'commandLine'>): SelfwareError {
  return new SelfwareError(
    'unavailable',
    `${name} needs the program ${commandLine[0] ?? ''}, and it is not on the path.`,
    {
      action: name.startsWith('command:')
        ? 'Install it outside of the repository, or correct models.commands.'
        : 'Install it outside of the repository; `selfware models` lists the agents that are found.',
    },
  );
}

/**
 * Creates the proposer `name`. The agent is started anew for each question. `ask` throws `unavailable` if its program
 * is missing or nothing can isolate it, and the errors of `runAndRead`.
 */
export function createAgentProposer(name: string, agent: Agent, parts: AgentParts): Proposer {
  return {
    name,
    destination: describeDestination(agent),
    hasTree: true,
    findHindrance: () =>
      findAgentProgram(agent.commandLine[0] ?? '', parts.env['PATH'] ?? '', parts.rootDir) === null
        ? createMissingProgramError(name, agent)
        : null,
    async ask(request, signal, onText) {
      const [wantedProgram = '', ...args] = agent.commandLine;
      const program = findAgentProgram(wantedProgram, parts.env['PATH'] ?? '', parts.rootDir);
      if (program === null) throw createMissingProgramError(name, agent);
      const sandbox = parts.sandbox(findFoldersToShow(program, args, parts.rootDir));
      if (!canIsolate(await sandbox.isolation()))
        throw new SelfwareError('unavailable', `Nothing on this machine can shut ${name} in, so it is not started.`, {
          action: 'Run `selfware doctor`: it says what would help.',
        });
      const worktree = await sandbox.open(signal);
      try {
        return await runAndRead(
          { name, agent, parts, worktree, commandLine: [program, ...args] },
          request,
          signal,
          onText,
        );
      } finally {
        await worktree.dispose();
      }
    },
  };
}

/**
 * True if this isolation leaves an agent no network except the gate, and lets none of its processes outlive it. The
 * sandbox-exec of macOS does neither: commands reach this machine's own servers, and a daemon cannot be ended.
 */
export function canIsolate({ confined, kind }: Pick<Isolation, 'confined' | 'kind'>): boolean {
  return confined && kind !== 'sandbox-exec';
}

/** One run of an agent in its open sandbox. */
interface OpenRun {
  readonly name: string;
  readonly agent: Agent;
  readonly parts: AgentParts;
  readonly worktree: SandboxWorktree;
  /** The command line, with the path of the program. */
  readonly commandLine: readonly string[];
}

/**
 * Runs the agent and returns its edits, or the reason why none are taken. Throws `cancelled`; `timedOut` or
 * `unavailable` if the agent failed and changed no file; and `usage` or `unreadable` for a login that cannot be shared.
 */
async function runAndRead(
  { name, agent, parts, worktree, commandLine }: OpenRun,
  request: ProposerRequest,
  signal: AbortSignal,
  onText: (characters: number) => void,
): Promise<ProposerReply> {
  const entriesBefore = await readEntries(worktree.dir, signal);
  const loginTexts = await shareLogin(parts.home ?? homedir(), agent.login, worktree.folders.home);
  const budget = new AbortController();
  const gateOptions: GateOptions = {
    ...parts.gate,
    upstream: findProxy(parts.env),
    refusesPrivate: true,
    maxBytes: MAX_NETWORK_BYTES,
    isExceeded: (bytes) => describeOverspent(bytes, request.maxTraffic) !== null,
    onExceeded: () => budget.abort(),
  };
  await using gate =
    agent.hosts.length === 0 ? null : await openNetworkGate(worktree.folders.temporary, agent.hosts, gateOptions);
  const keyOf = parts.findKey ?? ((variable) => parts.env[variable]);
  const keys = Object.fromEntries(
    agent.keys.flatMap((name) => (keyOf(name) === undefined ? [] : [[name, keyOf(name)!]])),
  );
  const origin = createUserTree(parts.rootDir);
  const work = createAgentWork(entriesBefore, worktree.dir, origin, signal);
  const result = await runWithMcpServer(parts, worktree, work, signal, (mcp) =>
    runAgent(
      { agent, keys, commandLine, worktree, hostEnvironment: parts.env, acpClient: parts.acpClient, mcp },
      request,
      AbortSignal.any([signal, budget.signal]),
      onText,
    ),
  );
  if (agent.protocol === 'acp') await parts.onToolCalls?.(await readToolCalls(worktree.folders.home));
  if (signal.aborted) throw new SelfwareError('cancelled', 'Cancelled.', { usage: estimateUsage('', [], gate) });
  const proposedChange = await work.readProposedChange();
  const { edits, refused } = proposedChange ?? (await computeDifference(entriesBefore, worktree.dir, origin, signal));
  const text = proposedChange?.description ?? findDescription(result.stdout, agent.descriptionLine);
  const description = { text, finished: true, model: null };
  const usage = estimateUsage(description.text, edits, gate);
  if (gate) parts.log.write('debug', `${name} sent ${gate.bytes.sent} bytes and received ${gate.bytes.received}.`);
  // The agent may have renewed its login in the meantime.
  const renewedLogins = await Promise.all(agent.login.map((file) => readTextBelow(worktree.folders.home, file)));
  const secrets = [...loginTexts, ...renewedLogins, ...Object.values(keys)];
  // Neither the change nor its description is kept, because both may contain a part of the login.
  if (findLeakingPath([...edits, { path: '', before: null, after: description.text }], secrets) !== null)
    return {
      ...description,
      text: '',
      usage,
      refused: 'Its answer contains a part of its login, so nothing of it is used.',
    };
  if (refused !== null) return { ...description, usage, refused: removeTokens(refused, secrets) };
  const hasFinished = result.outcome === 'exited' && result.exitCode === 0;
  const isOverBudget = budget.signal.aborted;
  if (edits.length > 0 && !isOverBudget && (hasFinished || agent.protocol !== 'acp'))
    return { ...description, usage, edits };
  const overspent =
    isOverBudget && gate
      ? (describeOverspent(gate.bytes, request.maxTraffic) ?? formatCount(estimateLimitedTokens(gate.bytes), 'token'))
      : null;
  const redactTokens = (text: string) => removeTokens(text, secrets);
  const reason = explainNoEdits(name, result, edits.length, gate, { overspent, safe: redactTokens });
  if (hasFinished || edits.length > 0) return { ...description, usage, refused: reason };
  const hasTimedOut = result.outcome === 'timedOut';
  throw new SelfwareError(hasTimedOut ? 'timedOut' : 'unavailable', reason, {
    action: hasTimedOut
      ? `Raise ${request.deadlineBudget ?? 'models.answerSeconds'}, or use another agent.`
      : overspent !== null
        ? OVERSPENT_ADVICE
        : isFileMissing(result)
          ? 'Check that the file exists, and that the enclosure shows it: only the repository and the system are visible there.'
          : 'Run the agent once by hand: it may need a login.',
    usage,
  });
}

/** True if a shell or an interpreter has reported that it did not find a program or a script. */
function isFileMissing({ exitCode, stderr }: RunResult): boolean {
  return exitCode === 127 || /No such file|Cannot find module|cannot open/i.test(stderr.slice(-MAX_QUOTED_CHARACTERS));
}

/**
 * Calls `run` with the MCP server for the agent's tools, or with null if it gets none. The tools are closed when `run`
 * has ended.
 */
async function runWithMcpServer(
  { tools, log }: Pick<AgentParts, 'tools' | 'log'>,
  { folders }: SandboxWorktree,
  work: AgentWork,
  signal: AbortSignal,
  run: (mcp: McpServer | null) => Promise<RunResult>,
): Promise<RunResult> {
  if (!tools) return run(null);
  const { program, limits } = tools;
  const agentTools = await tools.open();
  await using _ = await openToolBroker(folders.temporary, {
    ...{ tools: agentTools, work, log, signal },
    ...(limits ? { limits } : {}),
  });
  return await run(await provideTools(folders, agentTools.list, program));
}

/** The text of a file below `folder`; empty if it does not exist, or is not a regular file within the size limit. */
async function readTextBelow(folder: string, file: string): Promise<string> {
  const bytes = await readBelow(folder, file).catch(() => null);
  return bytes === null ? '' : new TextDecoder().decode(bytes);
}

/** The line of the output in which the agent describes its change; empty if there is no output. */
function findDescription(output: string, whichLine: Agent['descriptionLine']): string {
  const lines = output.split('\n').map((line) => line.trim());
  return (whichLine === 'first' ? lines.find((line) => line !== '') : lines.findLast((line) => line !== '')) ?? '';
}

/**
 * Estimates the tokens that the agent has used. The input is estimated from the sent bytes, which contain the
 * questions; the output from the description and the edits, or from the received bytes. Null for an agent without
 * network.
 */
function estimateUsage(text: string, edits: readonly FileEdit[], gate: NetworkGate | null): Usage | null {
  if (!gate) return null;
  const outputTokens = edits.reduce((sum, { after }) => sum + estimateTokens(after ?? ''), estimateTokens(text));
  return estimateTrafficUsage(gate.bytes, outputTokens);
}

/** The used tokens or money as text, if they exceed the limit; otherwise null. */
function describeOverspent(bytes: NetworkGate['bytes'], limit: TrafficLimit | undefined): string | null {
  if (limit === undefined) return null;
  const tokens = estimateLimitedTokens(bytes);
  if (tokens > limit.tokens) return formatCount(tokens, 'token');
  const amount = limit.money ? computeAmount(estimateTrafficUsage(bytes), limit.money.price) : 0;
  return limit.money && amount > limit.money.amount ? `${amountText(amount)} of money` : null;
}

/**
 * The reason why no change is taken, as sentences. `changedCount`: number of files that the agent has changed. `overspent`:
 * the used tokens or money as text, if the agent was ended because its budget was used up; otherwise null. `redact`:
 * removes tokens of logins from a text.
 */
function explainNoEdits(
  name: string,
  { outcome, exitCode, exceeded, stdout, stderr }: RunResult,
  changedCount: number,
  gate: NetworkGate | null,
  { overspent, safe: redact }: { readonly overspent: string | null; readonly safe: (text: string) => string },
): string {
  const endPhrase = changedCount === 0 ? 'changed no file' : 'did not finish its change, so nothing of it is taken';
  const endText =
    outcome === 'notFound'
      ? `${name} could not be started`
      : outcome === 'timedOut'
        ? `${name} did not end in time and ${endPhrase}`
        : overspent !== null
          ? `${name} was ended because it used about ${overspent}, more than its budget has left, and ${endPhrase}`
          : exceeded !== undefined
            ? `${name} was ended because it took ${exceeded}, and ${endPhrase}`
            : exitCode === 0
              ? `${name} ${endPhrase}`
              : `${name} ended with ${exitCode} and ${endPhrase}`;
  const hosts =
    gate && gate.refused.length > 0
      ? ` It asked for hosts that it may not reach: ${redact(gate.refused.slice(0, 5).join(', '))}.`
      : '';
  const lastOutput = redact(stderr.trim() || stdout.trim())
    .slice(-MAX_QUOTED_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim();
  return `${endText}.${hosts}${lastOutput === '' ? '' : ` It said last: ${asSentence(lastOutput, MAX_QUOTED_CHARACTERS)}`}`;
}
