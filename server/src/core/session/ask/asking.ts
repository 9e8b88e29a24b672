// Asks a language model or an agent for one change, and files its answer. The attempt is recorded before it starts, so
// that it counts even if this process ends.

import { canonicalJson, sha256 } from '../../../util/canonicalJson.ts';
import { counted } from '../../../util/counted.ts';
import { thousands } from '../../../util/thousands.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { redact } from '../../ledger/redact.ts';
import { estimatedTokens, type AnsweredData, type AskedTask, type Usage } from '../../model/asks.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import type { Proposer, ProposerReply, ProposerRequest } from '../../ports/proposers.ts';
import { accountOf, reasonToStop, replyLimit, type Stop } from '../../proposers/accounts.ts';
import { agentMessages } from '../../proposers/agentPrompt.ts';
import { messagesFor, type Question } from '../../proposers/prompt.ts';
import { readReply, resolveEdits } from '../../proposers/reply/read.ts';
import type { Refused } from '../../proposers/reply/reply.ts';
import type { Rung } from '../../proposers/reply/placing.ts';
import type { AskOutcome, AskRequest } from './askTypes.ts';
import type { SessionContext } from '../context.ts';
import { readFresh } from '../search/remembering.ts';
import { accountEvents, attemptsInWords } from './pastAttempts.ts';
import { formatEdits } from '../propose/formatting.ts';
import { proposeEdits } from '../propose/proposingEdits.ts';
import { questionOf, taskOf } from './questions.ts';
import { CLAIMED } from './taskText.ts';

const runs = new WeakMap<SessionContext, string>();

/** The id under which the ledger holds the attempts of this session; made at the first call. */
export function runOf(context: SessionContext): string {
  const run = runs.get(context) ?? context.ports.ids.next('run');
  runs.set(context, run);
  return run;
}

/**
 * Checks before anything is run or sent. Throws `untrusted`, `usage` for an invalid name, and `forbidden` if nobody has
 * agreed to send code to the destination.
 */
export async function openProposer(context: SessionContext, name: string): Promise<Proposer> {
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so no model is asked about it.', {
      action: 'Trust the workspace first.',
    });
  const proposer = context.ports.proposers.open(name);
  const host = await consentNeeded(context, proposer);
  if (host !== null)
    throw new SelfwareError('forbidden', `Code would go to ${host}, and nobody has agreed to that.`, {
      action: 'Run the command at a terminal of your own: it asks once.',
    });
  return proposer;
}

/**
 * Asks one question and files the answer. An answer that cannot be used, and a proposer that fails, are outcomes.
 * Throws `untrusted`, `usage`, `forbidden`, `notFound`, `cancelled`.
 */
export async function ask(context: SessionContext, request: AskRequest, signal: AbortSignal): Promise<AskOutcome> {
  const { ports, settings, ledger } = context;
  const proposer = await openProposer(context, request.proposer);
  const known = await taskOf(context, request.task);
  const { task } = known;
  const run = runOf(context);
  const events = await accountEvents(context);
  const account = accountOf(request.fresh ? [] : events, task.id, run, ports.clock.now());
  const day = accountOf(events, '', run, ports.clock.now()).dayTokens;
  const limits = { taskTokens: settings['models.tokensPerTask'], dayTokens: settings['models.tokensPerDay'] };
  const spent = { ...account, dayTokens: day };
  const spentAlready = reasonToStop(spent, limits, 0);
  if (spentAlready) return notAsked(spentAlready);
  const attempts = await attemptsInWords(context, account.attempts);
  const mostTokens = (await proposer.mostTokens?.(signal)) ?? null;
  const question = await questionOf(
    context,
    request.task,
    known,
    { attempts, most: mostTokens },
    { ...request, signal },
  );
  if ('refused' in question) return notAsked({ reason: question.refused, of: 'task' });
  const messages = proposer.hasTree ? agentMessages(question) : messagesFor(question);
  const promptTokens = messages.reduce((sum, { content }) => sum + estimatedTokens(content), 0);
  const stop = tooLong(proposer, promptTokens, mostTokens) ?? reasonToStop(spent, limits, promptTokens);
  if (stop) return notAsked(stop);
  const maxTokens = replyLimit(spent, limits, promptTokens, settings['models.replyTokens']);
  const seconds = settings['models.answerSeconds'];
  const id = ports.ids.next('ask');
  await ledger.record({
    type: 'asked',
    data: {
      ask: id,
      run,
      task,
      proposer: proposer.name,
      promptTokens,
      budget: { replyTokens: maxTokens, seconds },
      ...(request.fresh ? { fresh: true } : {}),
    },
  });
  const redacted = messages.map(({ role, content }) => ({ role, content: redact(content) as string }));
  const proposerRequest: ProposerRequest = {
    id: sha256(canonicalJson({ task: task.id, messages: redacted, maxTokens })).slice(0, 32),
    task,
    messages: redacted,
    maxTokens,
    deadline: ports.clock.now() + seconds * 1000,
  };
  const startedAt = ports.clock.now();
  const answered = (parts: Partial<AnsweredData> & Pick<AnsweredData, 'outcome'>) =>
    ledger.record({
      type: 'answered',
      data: { ...EMPTY_ANSWER, ask: id, task, millis: ports.clock.now() - startedAt, ...parts },
    });
  let reply: ProposerReply;
  try {
    reply = await proposer.ask(proposerRequest, signal, (characters) =>
      request.report?.({
        stage: 'realising',
        done: characters,
        total: null,
        message: `Asking ${proposer.name}: ${counted(characters, 'character')}`,
      }),
    );
  } catch (error) {
    const outcome = signal.aborted ? 'cancelled' : 'failed';
    await answered({ outcome, reason: describeError(error) });
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    const refused = error.action === null ? error.message : `${error.message} ${error.action}`;
    return notAsked({ reason: refused, of: 'all' });
  }
  const usage = reply.usage ?? estimatedUsage(promptTokens, reply.text);
  const answeredBy = { model: reply.model, usage };
  const read = await editsOf(context, reply);
  if ('refused' in read) {
    const phantom = 'phantom' in read ? { phantom: true as const } : {};
    await answered({ outcome: 'refused', reason: read.refused, ...answeredBy, ...phantom });
    return { proposal: null, refused: read.refused, final: false, ...answeredBy };
  }
  const { format, rung } = read;
  try {
    const proposal = await fileAnswer(context, task, { ...read, addresses: question.addresses }, signal);
    await answered({ outcome: 'proposed', proposal: proposal.id, format, rung, ...answeredBy });
    return { proposal, refused: null, final: false, ...answeredBy };
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError) || !RETRIABLE.has(error.reason)) throw error;
    await answered({ outcome: 'refused', reason: error.message, format, rung, ...answeredBy });
    return { proposal: null, refused: error.message, final: false, ...answeredBy };
  }
}

function notAsked({ reason, of }: Stop): AskOutcome {
  return { proposal: null, refused: reason, final: of, model: null, usage: null };
}

/** Why the model cannot read the whole question; null = it can, or its limit is unknown. */
function tooLong({ name }: Proposer, promptTokens: number, most: number | null): Stop | null {
  if (most === null || promptTokens <= most) return null;
  const size = `The question has about ${counted(promptTokens, 'token')}`;
  return { reason: `${size}, and ${name} reads at most ${thousands(most)}. Use a larger model.`, of: 'task' };
}

const EMPTY_ANSWER = { reason: null, proposal: null, model: null, usage: null, format: null, rung: null } as const;
/** Errors that another answer may avoid. */
const RETRIABLE: ReadonlySet<SelfwareError['reason']> = new Set(['usage', 'forbidden', 'conflict', 'stale']);

const UNTITLED = { model: 'A change by a language model', agent: 'A change by a coding agent' } as const;

interface ReadEdits {
  readonly description: string;
  readonly edits: readonly FileEdit[];
  readonly format: string;
  readonly rung: Rung | null;
  readonly author: keyof typeof UNTITLED;
}

/** The edits of an answer: an agent's own, or those in a model's text. Refused if the text cannot be read as edits. */
async function editsOf(
  context: SessionContext,
  { text, finished, edits, refused }: ProposerReply,
): Promise<ReadEdits | Refused> {
  if (refused !== undefined) return { refused };
  if (edits) return { description: text, format: 'tree', rung: null, edits, author: 'agent' };
  const read = readReply(text, finished);
  if ('refused' in read) return read;
  const paths = new Set(read.edits.map(({ file }) => file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')));
  const texts = new Map<string, string | null>();
  for (const path of paths) texts.set(path, (await isInside(context, path)) ? await readFresh(context, path) : null);
  const resolved = resolveEdits(read.edits, (path) => texts.get(path) ?? null);
  if ('refused' in resolved) return resolved;
  return { description: read.description, format: read.format, author: 'model', ...resolved };
}

async function isInside({ ports }: SessionContext, path: string): Promise<boolean> {
  return !path.includes('\0') && (await ports.files.resolve(path)) !== null;
}

/** Files the answer as a proposal, formatted if the formatter can run isolated. */
async function fileAnswer(
  context: SessionContext,
  task: AskedTask,
  { description, edits, author, addresses }: ReadEdits & Pick<Question, 'addresses'>,
  signal: AbortSignal,
): Promise<Proposal> {
  // The formatter's configuration is code, and the answer may have changed it.
  const { confined } = await context.ports.sandbox.isolation();
  return proposeEdits(
    context,
    {
      title: description.trim() === '' ? UNTITLED[author] : description,
      rationale: '',
      edits: confined ? await formatEdits(context, edits, signal) : edits,
      author,
      ...(addresses === undefined ? {} : { addresses }),
      ...(CLAIMED[task.kind] === undefined ? {} : { claim: CLAIMED[task.kind] }),
    },
    signal,
  );
}

/** The host to which code would be sent without an agreement yet; null = none. */
export async function consentNeeded(
  { ledger }: SessionContext,
  { destination }: Pick<Proposer, 'destination'>,
): Promise<string | null> {
  if (destination === null) return null;
  const events = await ledger.query({ types: ['consented'] });
  const agreed = events.some(({ data }) => (data as { readonly destination?: unknown }).destination === destination);
  return agreed ? null : destination;
}

/** For a proposer that does not report its usage. */
function estimatedUsage(promptTokens: number, text: string): Usage {
  return { input: promptTokens, output: estimatedTokens(text), cached: 0, estimated: true };
}
