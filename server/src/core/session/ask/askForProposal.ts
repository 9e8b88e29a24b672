// Asks until a change passes its checks: the refusal of a check is part of the next question.

import type { Operation } from '../../operation.ts';
import type { Proposal } from '../../model.ts';
import type { Usage } from '../../model/asks.ts';
import type { Session } from '../../session.ts';
import type { AskOutcome, AskRequest } from './askTypes.ts';
import { addUsage, NOTHING_USED } from '../../proposers/usage.ts';
import { interventionSentence } from './interventionTexts.ts';
import { taskId } from './taskId.ts';

/** The result of asking several times. */
export interface AskedProposal {
  /**
   * The proposal that passed its checks, or was filed without them. If none did, the last one that was filed; null if
   * none was filed.
   */
  readonly proposal: Proposal | null;
  /** The reason why each attempt failed. */
  readonly refusals: readonly string[];
  /**
   * The reasons why no further question was asked, for example because a budget is used up. Also says where a question
   * waits for an answer.
   */
  readonly stops: readonly string[];
  /** If the task waits for a person: the paragraph for that person, which a notice has also shown. Otherwise null. */
  readonly intervention: string | null;
  /** Names of the models that answered; empty from `askForNextTask`. */
  readonly models: readonly string[];
  /** The sum of all attempts in this call; zero from `askForNextTask`, whose outcomes do not report it. */
  readonly usage: Usage;
  /** The places of the questions that somebody answers later; `stops` also names them. Empty from `askForNextTask`. */
  readonly leftAt: readonly string[];
  /** Set if nobody could be reached in the last question, or if a budget is used up. Missing otherwise. */
  readonly postponed?: AskOutcome['postponed'];
}

/** Maximum number of attempts in one call. The ledger counts the attempts of all calls. */
const MAX_ATTEMPTS = 3;

const WAITS_ALREADY =
  'A change for this task that passed its checks was already waiting, so nobody was asked. To ask again, reject it first.';

/** Maximum number of tasks in one call. The ledger counts the tasks of all calls. */
const MAX_TASKS = 6;

/**
 * Updates the index, then asks for one task up to three times; using a promising answer to an earlier question does not
 * count. `verify`: true to verify each proposal; then the first one that its checks do not refuse ends the asking,
 * otherwise the first one that is filed. `mayWait`: true if no person waits for the answer, so that a proposal may be
 * deferred until the machine is quieter. `isStillWanted` is called before each attempt but the first; if it returns
 * false, no attempt follows. `onRefused` receives each proposal that its checks refuse.
 */
export async function askForProposal(
  session: Pick<Session, 'memory' | 'questions' | 'failedTasks' | 'verification'>,
  request: Omit<AskRequest, keyof Operation> & {
    readonly verify: boolean;
    readonly mayWait?: boolean;
    isStillWanted?(): Promise<boolean>;
    onRefused?(proposal: Proposal): Promise<void>;
  },
  operation: Operation,
): Promise<AskedProposal> {
  await session.memory.index(operation);
  const refusals: string[] = [];
  const stops: string[] = [];
  const models = new Set<string>();
  let usage = NOTHING_USED;
  let lastProposal: Proposal | null = null;
  let placesLeftAt: readonly string[] = [];
  let pause: Pick<AskOutcome, 'postponed'> = {};
  let id = taskId(request.task);
  let canAskAgain = async () => true;
  const { task, proposer, ignoresEarlier = false, mayWait = false, isStillWanted = canAskAgain } = request;
  for (let [questions, remainingQuestions] = [0, 0]; questions < MAX_ATTEMPTS || remainingQuestions > 0; ) {
    if (!(await canAskAgain())) break;
    canAskAgain = isStillWanted;
    const outcome = await session.questions.ask({
      task,
      proposer,
      ignoresEarlier: ignoresEarlier && questions === 0,
      ...operation,
    });
    remainingQuestions = outcome.left;
    id = outcome.foundTask ?? id;
    // A promising answer to an earlier question needs no new one.
    if (outcome.usage !== null || outcome.final || !outcome.proposal) questions += 1;
    if (outcome.model !== null) models.add(outcome.model);
    if (outcome.usage) usage = addUsage(usage, outcome.usage);
    if (outcome.refused !== null) (outcome.unasked ? stops : refusals).push(outcome.refused);
    placesLeftAt = outcome.leftAt ?? [];
    pause = pickPause(outcome);
    if (outcome.proposal?.status === 'verified') {
      lastProposal = outcome.proposal;
      stops.push(WAITS_ALREADY);
      break;
    }
    if (outcome.final) break;
    if (!outcome.proposal) continue;
    lastProposal = request.verify
      ? await session.verification.verify(outcome.proposal.id, operation, { atOnce: !mayWait })
      : outcome.proposal;
    if (lastProposal.status !== 'refused') break;
    refusals.push(lastProposal.reason ?? 'Its checks refused it.');
    await request.onRefused?.(lastProposal);
  }
  const intervention =
    lastProposal === null || lastProposal.status === 'refused' ? await loadIntervention(session, id) : null;
  const answer = {
    proposal: lastProposal,
    refusals,
    stops,
    intervention,
    models: [...models],
    usage,
    leftAt: placesLeftAt,
  };
  return { ...answer, ...pause };
}

function pickPause({ postponed }: AskOutcome): Pick<AskOutcome, 'postponed'> {
  return postponed === undefined ? {} : { postponed };
}

/**
 * The paragraph that asks a person for help if the task waits for them after its last attempt, as a notice also says;
 * otherwise null.
 */
async function loadIntervention(session: Pick<Session, 'failedTasks'>, id: string): Promise<string | null> {
  const [intervention] = await session.failedTasks.interventions(id);
  return intervention ? [interventionSentence(intervention), ...intervention.corrections].join(' ') : null;
}

/**
 * Asks for the most valuable tasks, and verifies every proposal. A task whose change a check refuses is asked up to
 * three times; then the next task follows.
 */
export async function askForNextTask(
  session: Pick<Session, 'questions' | 'verification'>,
  proposer: string,
  operation: Operation,
): Promise<AskedProposal> {
  const refusals: string[] = [];
  const stops: string[] = [];
  let lastProposal: Proposal | null = null;
  for (let task = 1; task <= MAX_TASKS; task += 1) {
    const { proposal, tried, hasMore, stopReason } = await session.questions.askNext({ proposer, ...operation });
    refusals.push(...tried.map(({ refused, path }) => (path === '' ? refused : `${path}: ${refused}`)));
    if (stopReason !== null) stops.push(stopReason);
    if (!proposal && !hasMore) break;
    if (!proposal) continue;
    lastProposal = await session.verification.verify(proposal.id, operation, { atOnce: true });
    if (lastProposal.status !== 'refused') break;
    refusals.push(lastProposal.reason ?? 'Its checks refused it.');
  }
  if (!lastProposal && refusals.length === 0 && stops.length === 0)
    stops.push('Nothing is left to ask for: each task waits for you, or was tried.');
  return { proposal: lastProposal, refusals, stops, intervention: null, models: [], usage: NOTHING_USED, leftAt: [] };
}
