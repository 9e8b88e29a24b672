// Reads from the ledger the outcomes and the costs of the answers of proposers, and orders the proposers of a role.

import { determineOutcome } from '../../ledger/changeOutcome.ts';
import type { StoredProposal } from '../../ledger/events.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RoleTrials } from '../../learn/betterProposers.ts';
import { orderProposers, type Preference, type ProposerKind, type ProposerTrial } from '../../learn/proposerOrder.ts';
import type { AnsweredData, AskedData, AskedTask } from '../../model/asks.ts';
import { countTokens } from '../../proposers/accounts.ts';
import { parseProposerNames } from '../../proposers/names.ts';
import { computeAmount, findPrice } from '../../proposers/prices.ts';
import { resolveProposers, ROLES, findRoleOfTask, type ProposerRole } from '../../proposers/roles.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import { readDecisions } from './inbox/files.ts';
import type { RoleOrder } from './learnTypes.ts';
import { determineQuestionOrigin, readEvents } from './lessonEvidence.ts';

/** A trial with the kind of its task, which decides about the role. */
interface RoleTrial extends ProposerTrial {
  readonly kind: AskedTask['kind'];
}

/** Statuses of a change that has passed its gates and that nobody has turned down since. */
const PASSED_STATUSES: ReadonlySet<StoredProposal['status']> = new Set(['verified', 'approved', 'deferred', 'applied']);

/** The answers that can be judged, oldest first; in an unattended run, those in both ledgers. */
async function readProposerTrials(context: SessionContext): Promise<readonly RoleTrial[]> {
  const { ledger, repositoryLedger } = context;
  return fallBackIfDamaged<readonly RoleTrial[]>(context, [], async () => {
    const trials = await loadTrials(ledger);
    const allTrials =
      repositoryLedger === null ? trials : new Map([...trials, ...(await loadTrials(repositoryLedger))]);
    const kinds = new Map<string, ProposerKind>();
    return [...allTrials.values()].map((trial) => {
      if (trial.money !== null) return trial;
      const kind = kinds.get(trial.proposer) ?? findProposerKind(context, trial.proposer);
      kinds.set(trial.proposer, kind);
      return kind === 'free' ? { ...trial, money: 0 } : trial;
    });
  });
}

/**
 * Creates a function that returns the names of a list in the order in which they are asked for a rule. The proposers of
 * a role are ordered by their record. A name that the person has written in the list itself keeps its place.
 */
export async function createNameOrder(
  context: SessionContext,
  list: string,
  kind: AskedTask['kind'],
): Promise<(rule: string) => readonly string[]> {
  const { settings } = context;
  const groups = parseProposerNames(list).map((name) => resolveProposers(name, settings, kind));
  const names = [...new Set(groups.flat())];
  if (groups.every(({ length }) => length < 2)) return () => names;
  const trials = await readProposerTrials(context);
  const preferences = await readPreferences(context);
  const namesByRule = new Map<string, readonly string[]>();
  return (rule) => {
    const knownOrder = namesByRule.get(rule);
    if (knownOrder) return knownOrder;
    const orderedNames = [...new Set(groups.flatMap((group) => orderRole(context, trials, rule, group, preferences)))];
    namesByRule.set(rule, orderedNames);
    return orderedNames;
  };
}

/** The order of the proposers, for each role with several proposers and each rule for which one of them was tried. */
export async function listOrders(context: SessionContext): Promise<readonly RoleOrder[]> {
  const trials = await readProposerTrials(context);
  const preferences = await readPreferences(context);
  return ROLES.flatMap((role) => {
    const names = resolveProposers(`role:${role}`, context.settings, null);
    if (names.length < 2) return [];
    const rules = [...new Set(selectTrialsOfRole(trials, role, names).map(({ rule }) => rule))].toSorted();
    return rules.map((rule) => ({
      role,
      ...orderProposers(trials, rule, names, createOptions(context, names, preferences)),
    }));
  });
}

/**
 * For each role with several proposers: the names of these proposers, and their answers to tasks of the role. Throws
 * `usage` if a role in the settings cannot be read.
 */
export async function readRoleTrials(context: SessionContext): Promise<readonly RoleTrials[]> {
  const lists = ROLES.map((role) => ({ role, names: resolveProposers(`role:${role}`, context.settings, null) }));
  const roleLists = lists.filter(({ names }) => names.length > 1);
  if (roleLists.length === 0) return [];
  const trials = await readProposerTrials(context);
  return roleLists.map(({ role, names }) => ({ names, trials: selectTrialsOfRole(trials, role, names) }));
}

/** The trials of these proposers with tasks of this role. */
function selectTrialsOfRole(
  trials: readonly RoleTrial[],
  role: ProposerRole,
  names: readonly string[],
): readonly RoleTrial[] {
  return trials.filter(({ kind, proposer }) => findRoleOfTask(kind) === role && names.includes(proposer));
}

/** The preferences that a person has accepted, oldest first. */
export async function readPreferences(context: SessionContext): Promise<readonly Preference[]> {
  const decided = await fallBackIfDamaged(context, [], async () => [
    ...(await readDecisions(context)).decided.values(),
  ]);
  return decided
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ item, verdict }) => (item.kind === 'preference' && verdict === 'applied' ? [item] : []));
}

/** The names in the order in which they are asked for a rule. */
function orderRole(
  context: SessionContext,
  trials: readonly ProposerTrial[],
  rule: string,
  names: readonly string[],
  preferences: readonly Preference[],
): readonly string[] {
  const order = orderProposers(trials, rule, names, createOptions(context, names, preferences));
  return order.figures.map(({ name }) => name);
}

function createOptions(context: SessionContext, names: readonly string[], preferences: readonly Preference[]) {
  const kindOf = (name: string) => findProposerKind(context, name);
  return { preferences, draws: isOrderDrawn(context, names), kindOf };
}

/**
 * The kind of costs of a proposer. A name that can no longer be opened counts as `remote`, because it may have any
 * costs.
 */
function findProposerKind({ ports, settings }: SessionContext, name: string): ProposerKind {
  try {
    if (ports.proposers.open(name).destination !== null) return 'remote';
  } catch (error) {
    if (error instanceof SelfwareError) return 'remote';
    throw error;
  }
  return findPrice(settings['models.prices'], name) === null ? 'free' : 'local';
}

/**
 * True if the order is drawn by chance, weighted by the record of the proposers. False if the person wants the order of
 * their lists, or if a proposer leaves its questions to somebody who answers at any time.
 */
function isOrderDrawn({ ports, settings }: SessionContext, names: readonly string[]): boolean {
  if (settings['models.order'] === 'listed') return false;
  return names.every((name) => ports.proposers.open(name).fileQuestion === undefined);
}

/** The part of a ledger that trials are read from. */
type TrialLedger = Pick<Ledger, 'histories' | 'query' | 'idsWithForgottenLessons'>;

/** The events of a ledger that were read so far. */
interface ReadAnswers {
  /** Sequence of the last event that was read. */
  last: number;
  /** The questions by their ids. */
  readonly questions: Map<string, AskedData>;
  /** By id of the question: the answer, and the sequence of its event. */
  readonly answers: Map<string, { readonly answer: AnsweredData; readonly sequence: number }>;
  /** Ids of the proposals that an unattended run has committed. */
  readonly committed: Set<string>;
}

/**
 * The events that were read so far, by ledger. The trials are needed for each question, so each event is read only
 * once.
 */
const answersByLedger = new WeakMap<TrialLedger, ReadAnswers>();

/** Reads the events that were added since the last call. */
async function readAnswers(ledger: TrialLedger): Promise<ReadAnswers> {
  const answersSoFar = answersByLedger.get(ledger) ?? {
    last: 0,
    questions: new Map(),
    answers: new Map(),
    committed: new Set(),
  };
  answersByLedger.set(ledger, answersSoFar);
  const added = await ledger.query({ types: ['asked', 'answered', 'nightCommitted'], after: answersSoFar.last });
  for (const event of readEvents(added)) {
    if (event.type === 'asked') answersSoFar.questions.set(event.data.ask, event.data);
    else if (event.type === 'answered')
      answersSoFar.answers.set(event.data.ask, { answer: event.data, sequence: event.sequence });
    else if (event.type === 'nightCommitted') answersSoFar.committed.add(event.data.change.proposal);
  }
  answersSoFar.last = Math.max(answersSoFar.last, added.at(-1)?.sequence ?? 0);
  return answersSoFar;
}

/** The trials in one ledger, by the id of the question. */
async function loadTrials(ledger: TrialLedger): Promise<Map<string, RoleTrial>> {
  const { questions, answers, committed } = await readAnswers(ledger);
  const proposals = new Map((await ledger.histories()).map((proposal) => [proposal.id, proposal]));
  const idsWithForgottenLessons = await ledger.idsWithForgottenLessons();
  const trials = new Map<string, RoleTrial>();
  for (const [ask, { answer, sequence }] of answers) {
    const question = questions.get(ask);
    const { proposal } = answer;
    // A canary cannot be solved, so it shows nothing about the quality of the proposer.
    if (!question || question.task.kind === 'canary' || idsWithForgottenLessons.has(proposal ?? ask)) continue;
    const hasPassed = determineSuccess(answer, proposals.get(proposal ?? ''), committed.has(proposal ?? ''));
    if (hasPassed !== null)
      trials.set(ask, { ...createTrial(question, answer, hasPassed, sequence), kind: question.task.kind });
  }
  return trials;
}

/**
 * True if the answer has passed; null if that is not known yet, if it shows nothing about the proposer, if its change
 * was replaced, or if a person has changed it.
 */
function determineSuccess(
  { outcome, proposal }: AnsweredData,
  filedProposal: StoredProposal | undefined,
  isCommitted: boolean,
): boolean | null {
  if (outcome === 'refused') return false;
  if (outcome !== 'proposed') return null;
  // The answer fits and is shown to a person instead of being filed.
  if (proposal === null) return true;
  const change = filedProposal && determineOutcome(filedProposal);
  if (change === 'replaced' || change === 'rewritten') return null;
  if (change) return change === 'kept';
  return isCommitted || (filedProposal && PASSED_STATUSES.has(filedProposal.status)) ? true : null;
}

/** Creates the trial from a question and its answer. `passed`: the answer passed the checks. */
function createTrial(question: AskedData, answer: AnsweredData, passed: boolean, sequence: number): ProposerTrial {
  const { price } = question;
  const { usage, millis } = answer;
  const { rule, by: proposer } = determineQuestionOrigin(question);
  return {
    rule,
    proposer,
    passed,
    money: price ? computeAmount(countTokens(question, answer), price) : null,
    tokens: usage === null ? null : usage.input + usage.output,
    seconds: millis / 1000,
    sequence,
  };
}
