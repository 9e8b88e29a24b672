// Reads past questions from the ledger: for budgets, and for the next question.

import { createTwoFilesPatch } from 'diff';
import type { FileEdit, Proposal } from '../../model.ts';
import type { AnsweredData, AskedTask } from '../../model/asks.ts';
import { createLearnedRecipeName } from '../../model/learnedRecipes.ts';
import { NO_REASON } from '../../model/skippedPlaces.ts';
import { BUDGET_KINDS, budgetNameOf, computeAccount, type Account, type AskEvent } from '../../proposers/accounts.ts';
import type { StoredEvent } from '../../ports/ledger.ts';
import { readRecordedEvent } from '../../ledger/events.ts';
import { condenseOutput } from '../../verify/parse/condense/condenseOutput.ts';
import { estimateTokens } from '../../../util/tokens.ts';
import type { SessionContext } from '../context.ts';
import { areFilesUnchanged } from '../verify/verifying.ts';
import type { AskOutcome } from './askTypes.ts';
import { getOrCreateRunId } from './attemptRunId.ts';
import type { IdentifiedTask } from './questions.ts';

/** The kinds of tasks that one change completes. Tests for a file can be asked for again and again. */
const KINDS_DONE_BY_ONE_CHANGE: ReadonlySet<AskedTask['kind']> = new Set(['opportunity', 'request', 'fix']);
/** Maximum number of characters of one past attempt in a question, without its diff. */
const MAX_ATTEMPT_CHARACTERS = 600;
/** Maximum number of changes by learned recipes that were turned down and are described with one past attempt. */
const MAX_OUTCOMES = 3;
/** The phrase that says who turned a change down, by the status of the proposal. */
const TURNED_DOWN_TEXTS = {
  refused: 'The checks refused',
  rejected: 'A person rejected',
  rolledBack: 'A person or a check rolled back',
  conflicted: 'A check failed after',
} as const;
/** Maximum number of characters of the output of a check about the last attempt. */
const MAX_OUTPUT_CHARACTERS = 2_500;
/** By gate: the title above its output. Only the output of these gates tells how to correct a change. */
const OUTPUT_TITLES: Readonly<Partial<Record<string, string>>> = {
  tests: 'What the tests say',
  types: 'What the type check says',
  lint: 'What the linter says',
};
/** Maximum number of characters of the last attempt's diff. */
const MAX_DIFF_CHARACTERS = 8_000;

/** The edits as a unified diff, shortened. */
function formatDiff(edits: readonly FileEdit[]): string {
  const diff = edits
    .map(({ path, before, after }) =>
      createTwoFilesPatch(path, path, before ?? '', after ?? '', '', '', { context: 2 }),
    )
    .join('\n');
  return diff.length <= MAX_DIFF_CHARACTERS ? diff : `${diff.slice(0, MAX_DIFF_CHARACTERS)}\n(The rest is not shown.)`;
}

/** Past attempts as text, oldest first. `savedTokens`: tokens of the output of commands that the texts omit. */
interface DescribedAttempts {
  readonly texts: readonly string[];
  readonly savedTokens: number;
}

/** The events that were read so far. */
interface ReadEvents {
  /** The sequence of the last event. */
  readonly lastSequence: number;
  readonly events: readonly AskEvent[];
}

/** The ledger only grows, so each event is read once. */
const cachedEvents = new WeakMap<SessionContext, ReadEvents>();

/** All questions and answers in the ledger, oldest first. Skips malformed events. */
export async function readAskEvents(context: SessionContext): Promise<readonly AskEvent[]> {
  const { lastSequence, events } = cachedEvents.get(context) ?? { lastSequence: 0, events: [] };
  const storedEvents = await context.ledger.query({ types: ['asked', 'answered'], after: lastSequence });
  if (storedEvents.length === 0) return events;
  const allEvents = [...events, ...storedEvents.flatMap(parseAskEvents)];
  cachedEvents.set(context, { lastSequence: storedEvents.at(-1)!.sequence, events: allEvents });
  return allEvents;
}

/** The question or answer in a stored event; empty if the event has neither, or is malformed. */
export function parseAskEvents(storedEvent: StoredEvent): readonly AskEvent[] {
  const event = readRecordedEvent(storedEvent);
  if (event === null || event === 'malformed') return [];
  if (event.type === 'asked') return [{ at: event.at, asked: event.data }];
  return event.type === 'answered' ? [{ at: event.at, answered: event.data }] : [];
}

/**
 * The ids of the proposals whose changes were kept: unchanged, in part, as a person has corrected them, or as they were
 * merged into later edits.
 */
export async function collectKeptIds({ ledger }: Pick<SessionContext, 'ledger'>): Promise<ReadonlySet<string>> {
  const histories = await ledger.histories();
  const proposalById = new Map(histories.map((proposal) => [proposal.id, proposal]));
  const keptIds = new Set<string>();
  const pendingIds = histories.filter(({ status }) => status === 'kept').map(({ id }) => id);
  for (let id = pendingIds.pop(); id !== undefined; id = pendingIds.pop()) {
    if (keptIds.has(id)) continue;
    keptIds.add(id);
    const { replaces, partOf } = proposalById.get(id) ?? {};
    pendingIds.push(...[replaces, partOf].filter((origin) => origin !== undefined));
  }
  return keptIds;
}

/**
 * Reads the account of a task. With `ignoresEarlier`, the attempts at the task and their costs do not count, but the
 * costs of the day and of the run do.
 */
export async function readAccount(
  context: SessionContext,
  requestedTaskId: string,
  ignoresEarlier: boolean,
): Promise<Account> {
  const events = await readAskEvents(context);
  const now = context.ports.clock.now();
  const continued = { night: context.runStartedAt, runs: context.windowRun?.runs ?? new Set<string>() };
  const account = computeAccount(
    events,
    requestedTaskId,
    getOrCreateRunId(context),
    now,
    continued,
    await collectKeptIds(context),
  );
  if (!ignoresEarlier) return account;
  const emptyCells = Object.fromEntries(BUDGET_KINDS.map((kind) => [budgetNameOf('task', kind), 0]));
  return { ...account, attempts: [], rounds: 0, crashes: 0, ...emptyCells };
}

/**
 * The verified change that waits for a decision about this task, as the outcome of asking for it again; null if there
 * is none, if its files have changed since, if the task names accepted tests, which may be new, or if other changes for
 * tasks of this kind can still be useful.
 */
export async function findWaitingChange(
  context: SessionContext,
  { task: { id, kind }, acceptance = [] }: IdentifiedTask,
): Promise<AskOutcome | null> {
  if (!KINDS_DONE_BY_ONE_CHANGE.has(kind) || acceptance.length > 0) return null;
  const events = (await readAskEvents(context)).filter(({ asked, answered }) => (asked ?? answered)?.task.id === id);
  // Events before the last question that ignored earlier attempts do not count.
  const recentEvents = events.slice(
    Math.max(
      0,
      events.findLastIndex(({ asked }) => asked?.fresh === true),
    ),
  );
  const lastProposed =
    recentEvents.findLast(({ answered }) => answered?.outcome === 'proposed')?.answered?.proposal ?? null;
  const proposal = lastProposed === null ? null : await context.ledger.proposal(lastProposed);
  if (proposal?.status !== 'verified' || !(await areFilesUnchanged(context, proposal.edits))) return null;
  return { proposal, refused: null, final: 'task', left: 0, model: null, usage: null, unasked: true };
}

/**
 * The past attempts that were answered, as one paragraph each, without spare answers: the edited files, and the checks
 * that refused them. If the last one was filed, the condensed output of the check that refused it and a diff of its
 * edits follow, because a model does not remember them.
 */
export async function describeAttempts(
  { ledger }: SessionContext,
  attempts: readonly AnsweredData[],
): Promise<DescribedAttempts> {
  // An attempt without an answer teaches nothing, and a spare answer was never checked.
  const answeredAttempts = attempts.filter(({ outcome }) => outcome !== 'failed' && outcome !== 'spare');
  let savedTokens = 0;
  const texts = await Promise.all(
    answeredAttempts.map(async ({ proposal, reason, recipes = [] }, index) => {
      const filedProposal = proposal === null ? null : await ledger.proposal(proposal);
      if (!filedProposal)
        return [reason ?? 'It led to no change.', ...(await describeOutcomes(ledger, recipes))].join(' ');
      const reasonText = formatFailures(filedProposal) || filedProposal.reason || filedProposal.status;
      const summary = `It edited ${filedProposal.edits.map(({ path }) => path).join(', ')}. ${reasonText}`.slice(
        0,
        MAX_ATTEMPT_CHARACTERS,
      );
      if (index < answeredAttempts.length - 1) return summary;
      const output = describeOutput(filedProposal);
      savedTokens += output.savedTokens;
      return [summary, output.text, formatDiff(filedProposal.edits)].filter((part) => part !== '').join('\n');
    }),
  );
  return { texts, savedTokens };
}

/**
 * The condensed output of the check that refused the change; empty if there is none. `savedTokens`: the tokens by which
 * it was condensed.
 */
function describeOutput({ verdicts }: Pick<Proposal, 'verdicts'>): {
  readonly text: string;
  readonly savedTokens: number;
} {
  const failedVerdict = verdicts.find(({ gate, outcome }) => outcome === 'failed' && OUTPUT_TITLES[gate] !== undefined);
  if (!failedVerdict) return { text: '', savedTokens: 0 };
  const { messages, findings, output, outputTokens } = failedVerdict.evidence;
  const printed = [messages, findings, output].find((text) => typeof text === 'string' && text !== '');
  // The report of a linter in JSON is for programs; the reason quotes it.
  if (typeof printed !== 'string' || /^\s*[[{]/.test(printed)) return { text: '', savedTokens: 0 };
  const text = `${OUTPUT_TITLES[failedVerdict.gate]}:\n${condenseOutput(printed, MAX_OUTPUT_CHARACTERS)}`;
  const savedTokens = typeof outputTokens === 'number' ? Math.max(0, outputTokens - estimateTokens(text)) : 0;
  return { text, savedTokens };
}

/** The reasons of the failed verdicts, each after its gate. */
function formatFailures({ verdicts }: Pick<Proposal, 'verdicts'>): string {
  const failedVerdicts = verdicts.filter(({ outcome }) => outcome === 'failed');
  return failedVerdicts.map((verdict) => `${verdict.gate}: ${verdict.reason}`).join(' ');
}

/** The newest changes by learned recipes that were turned down, with the reasons. */
async function describeOutcomes(
  { proposals }: SessionContext['ledger'],
  recipes: readonly string[],
): Promise<string[]> {
  if (recipes.length === 0) return [];
  const names = new Set(recipes.map(createLearnedRecipeName));
  const proposalsOfRecipes = (await proposals()).filter(({ recipe }) => names.has(recipe));
  const rejectedProposals = proposalsOfRecipes.filter(({ status }) => Object.hasOwn(TURNED_DOWN_TEXTS, status));
  return rejectedProposals.slice(-MAX_OUTCOMES).map((proposal) => {
    const { status, reason, edits } = proposal;
    const turnedDownBy = TURNED_DOWN_TEXTS[status as keyof typeof TURNED_DOWN_TEXTS];
    const reasonText = [formatFailures(proposal), reason].filter(Boolean)[0] ?? NO_REASON;
    return `${turnedDownBy} its change of ${edits.map(({ path }) => path).join(', ')}. ${reasonText}`.slice(
      0,
      MAX_ATTEMPT_CHARACTERS,
    );
  });
}
