// Describes events of the ledger in sentences, for the sidebar and the command line.

import { isNothingMeasured } from '../../score/nothingMeasured.ts';
import { plainReason } from '../../../protocol/plainWords.ts';
import type { FeedbackData } from '../../model/feedback.ts';
import type { StageFigures } from '../../model/nights.ts';
import type { InboxEvent, InboxItem } from '../../model/inbox.ts';
import type { Checkpoint, Points, Proposal, Strength, Verdict } from '../../model.ts';
import { formatCount } from '../../../util/counted.ts';
import { capitalise, escapeInvisibleLine } from '../../../util/visible.ts';
import { describeConsent } from '../../proposers/sentDataNotice.ts';
import { describeVariant } from '../../run/report/redTeamReport.ts';
import { determineStrength } from '../../verify/strength.ts';
import type { AskedTask } from '../../model/asks.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import type { StoredEvent } from '../../ports/ledger.ts';

/** Maximum number of characters of a sentence. The ledger contains the complete text. */
const MAX_CHARACTERS = 200;
/** The results that a run searches for, in words. */
const SEARCHED_TEXTS = { examples: 'wrong examples', tests: 'missing tests', calls: 'calls that break' } as const;

/** The parts of a proposal that sentences use. `replaces`: the id of the proposal that it replaces. */
export type NamedProposal = Pick<Proposal, 'title' | 'replaces'>;
/** Creates the sentence about an event from its data. `titleOf` and `getNamedProposal` look up a proposal by its id. */
type SentenceFormatter = (
  data: never,
  titleOf: (proposal: string) => string,
  getNamedProposal: (proposal: string) => NamedProposal | undefined,
) => string;

/** Sentences of events that the sidebar shows, by type of the event. */
const SENTENCE_BY_EVENT: Readonly<Record<string, SentenceFormatter>> = {
  indexed: ({ files, seconds }: { files: number; seconds: number }) =>
    `Indexed ${formatNumber(files)} files in ${seconds.toFixed(1)} s`,
  opportunityDismissed: ({ rule, path }: { rule?: string; path?: string }) =>
    `Dismissed${rule ? ` ${rule}` : ' an opportunity'}${path ? ` in ${path}` : ''}`,
  opportunityRestored: () => 'Took a dismissal back',
  proposed: ({ proposal }: { proposal: Pick<Proposal, 'title'> }) => `Proposed: ${proposal.title}`,
  verified: (
    {
      proposal,
      verdicts,
      strength = determineStrength(verdicts),
    }: ProposalData & { verdicts: readonly Verdict[]; strength?: Strength | null },
    titleOf,
  ) => `${capitalise(strength ?? 'unchecked')}: ${titleOf(proposal)}`,
  refused: refusedSentence,
  interrupted: ({ proposal }: ProposalData, titleOf) => `Verification interrupted: ${titleOf(proposal)}`,
  approved: ({ proposal, by }: ProposalData & { by: string }, titleOf) =>
    `Approved by ${by === 'person' ? 'a person' : 'the charter'}: ${titleOf(proposal)}`,
  rejected: ({ proposal, reason }: ProposalData & { reason: string | null }, titleOf) =>
    `Rejected: ${titleOf(proposal)}${becausePhrase(reason)}`,
  deferred: ({ proposal, busy }: ProposalData & { busy?: true }, titleOf) =>
    `${busy ? 'Deferred, machine busy' : 'Put aside'}: ${titleOf(proposal)}`,
  applied: ({ checkpoint }: { checkpoint: Pick<Checkpoint, 'title'> }) => `Applied: ${checkpoint.title}`,
  kept: ({ proposal }: ProposalData, titleOf) => `Kept: ${titleOf(proposal)}`,
  conflicted: ({ proposal, reason }: ProposalData & { reason: string }, titleOf) =>
    `Stuck: ${titleOf(proposal)}${becausePhrase(reason)}`,
  committed: ({ proposal, branch }: ProposalData & { branch: string }, titleOf) =>
    `Committed to ${branch}: ${titleOf(proposal)}`,
  rolledBack: ({ proposal, reason }: { proposal: string | null; reason: string | null }, titleOf) =>
    `Rolled back: ${proposal === null ? 'a change' : titleOf(proposal)}${becausePhrase(reason)}`,
  reworked: ({ proposal, undone, subject }: ProposalData & { undone: boolean; subject: string }, titleOf) =>
    `${undone ? 'Undone' : 'Written differently'} by the commit “${subject}”: ${titleOf(proposal)}`,
  checkedAgain: ({ proposal, verdicts }: ProposalData & { verdicts: readonly Verdict[] }, titleOf) =>
    `${verdicts.some(({ outcome }) => outcome === 'failed') ? 'Failed' : 'Checked again'} without: ${titleOf(proposal)}`,
  points: ({ points }: { points: Points | null }) =>
    points === null
      ? 'The points are unknown'
      : points.total === 0 && isNothingMeasured(points)
        ? 'No points yet: nothing here can be scored'
        : `Scored ${formatNumber(points.total)} of ${formatNumber(points.max)}`,
  stopped: () => 'Stopped by the kill switch',
  resumed: () => 'Resumed',
  notice: ({ message }: { message: string }) => message,
  remembered: ({ text }: { text: string }) => `Remembered: ${text}`,
  lessonForgotten: ({ text }: { text: string }) => `Forgot: ${text}`,
  ruleWritten: ({ file, text }: { file: string; text: string }) => `Noted a rule in ${file}: ${text}`,
  ruleSwitched: ({ state, by }: { state: string; by?: string }) =>
    `${state === 'removed' ? 'Removed' : `Switched ${state}`}: a rule${by === 'trial' ? ', because a trial failed' : ''}`,
  ruleTried: ({ outcome, reason }: { outcome: string; reason: string }) =>
    `Tried a rule, ${outcome === 'notWorse' ? 'not worse' : outcome}${becausePhrase(reason)}`,
  broughtRules: ({ path, hash }: { path: string; hash: string | null }) =>
    hash === null ? `The rules in ${path} are off` : `Accepted the rules in ${path}`,
  inboxFiled: ({ item }: { item: Pick<InboxItem, 'kind' | 'name'> }) => `Proposed a ${item.kind}: ${item.name}`,
  inboxDecided: ({ item, verdict, reason }: Extract<InboxEvent, { readonly type: 'inboxDecided' }>['data']) =>
    `${capitalise(verdict)} the ${item.kind} ${item.name}${becausePhrase(reason)}`,
  researched: ({ tool, query }: { tool: string; query: string }) => `Searched online with ${tool}: ${query}`,
  researchEnded: ({ outcome, reason }: { outcome: string; reason: string | null }) =>
    `Online research ${outcome}${becausePhrase(reason)}`,
  nightStarted: ({ night }: NightData) => `Began an unattended run on ${night}`,
  nightCommitted: ({ night, change }: NightData & { change: { title: string } }) =>
    `Committed to ${night}: ${change.title}`,
  nightCanary: ({ proposer, solved }: { proposer: string; solved: boolean }) =>
    `A task that cannot be solved was ${solved ? '“solved”' : 'not solved'} by ${proposer}`,
  nightSearched: ({ search, found }: { search: keyof typeof SEARCHED_TEXTS; found: readonly string[] }) =>
    `Searched for ${SEARCHED_TEXTS[search]}: ${found.length} new`,
  nightVariant: (variant: Parameters<typeof describeVariant>[0]) => describeVariant(variant),
  nightPaused: ({ night, reason }: NightData & { reason: string }) =>
    `The run on ${night} needs you${becausePhrase(reason)}`,
  nightAnswered: ({ night }: NightData) => `The run on ${night} may continue`,
  nightAskedToEnd: ({ night }: NightData) => `The run on ${night} was asked to end`,
  nightEnded: ({ night, reason }: NightData & { reason: string }) =>
    `The run on ${night} ended${becausePhrase(reason)}`,
  nightDecided: ({ night, verdict }: NightData & { verdict: string }) => `${capitalise(verdict)}: ${night}`,
  nightMerged: ({ night, commit }: NightData & { commit: string }) =>
    `Your branch has the commit ${commit.slice(0, 12)} of ${night}`,
  recipeAccepted: ({ recipe }: { recipe: { pattern?: string; replacement?: string } }) =>
    `Learned a recipe: ${recipe.pattern} becomes ${recipe.replacement}`,
  recipeForgotten: ({ id }: { id: string }) => `Forgot the learned recipe ${id}`,
  trainingStarted: ({ base, examples }: { base: string; examples?: number }) =>
    `Began to train ${base} on ${formatCount(examples ?? 0, 'example')}`,
  trainingEnded: ({ outcome, reason }: { outcome: string; reason: string }) =>
    `Training ${outcome}${becausePhrase(reason)}`,
  modelDeployed: ({ model }: { model: string }) => `Deployed the model ${model}`,
  modelRolledBack: ({ model, to }: { model: string; to: string | null }) =>
    `Rolled the model ${model} back to ${to ?? 'the base'}`,
};

/** Words for the outcomes of wishes. */
const WISH_OUTCOMES: Readonly<Record<Data<'nightWish'>['outcome'], string>> = {
  committed: 'done',
  notDone: 'not done',
  deferred: 'deferred',
};

/** A stage with its duration and its outcomes, such as `verify 4.2 s (2 verified, 1 refused)`. */
function describeStage({ stage, ms, outcomes }: StageFigures): string {
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  const seconds = (ms / 1000).toFixed(1);
  return `${stage} ${seconds} s${counts.length === 0 ? '' : ` (${counts.join(', ')})`}`;
}

/** Sentences of events that the sidebar does not show, because there are too many of these events. */
const QUIET_SENTENCES: Readonly<Record<string, SentenceFormatter>> = {
  feedbackRecorded: ({ kind, dimension, note }: Pick<FeedbackData, 'kind' | 'dimension' | 'note'>) =>
    escapeInvisibleLine(`Feedback, ${kind.replaceAll('_', ' ')}: ${dimension}${note === null ? '' : ` (${note})`}`),
  attempt: ({ recipe, opportunity, outcome, reason }: Data<'attempt'>) =>
    `Tried the recipe ${recipe} on ${opportunity}: ${outcome === 'proposed' ? 'it makes a change' : 'no change'}${becausePhrase(reason)}`,
  asked: ({ proposer, task }: Data<'asked'>) => `Asked ${proposer} for ${taskText(task)}`,
  answered: ({ task, outcome, reason }: Data<'answered'>) =>
    `Answer about ${taskText(task)}: ${outcome}${becausePhrase(reason)}`,
  taskDropped: (_: Data<'taskDropped'>) => 'A person has dropped a task that waited for them',
  consented: ({ destination, sends = ['excerpts'] }: Data<'consented'>) =>
    `A person agreed that ${sends.includes('packages') ? 'data go' : 'code goes'} to ${describeConsent({ destination, sends })}`,
  consentWithdrawn: ({ destination }: Data<'consentWithdrawn'>) =>
    `A person withdrew their consent: nothing more goes to ${destination}`,
  verifying: ({ proposal }: Data<'verifying'>, titleOf) => `Verification began: ${titleOf(proposal)}`,
  forgotten: ({ checkpoints, proposals = [] }: Data<'forgotten'>) =>
    checkpoints.length > 0
      ? `Removed ${formatCount(checkpoints.length, 'old checkpoint')}`
      : `Removed the texts of ${formatCount(proposals.length, 'old proposal')}`,
  stateMeasured: ({ databaseMb, ledgerMs }: Data<'stateMeasured'>) =>
    `Measured the state folder: ${databaseMb === undefined ? '' : `${databaseMb.toFixed(1)} MB, `}${ledgerMs} ms to read events`,
  feedbackLooked: ({ findings }: Data<'feedbackLooked'>) =>
    `Looked at the feedback: ${formatCount(findings, 'finding')}`,
  bottleneckAsked: ({ metric, strategy }: Data<'bottleneckAsked'>) =>
    `Asked for better ${metric} of Selfware, by ${strategy}`,
  packed: ({ taskType, layers }: Data<'packed'>) =>
    `Packed a context for ${taskType}: ${formatNumber(Object.values(layers).reduce((sum, { tokens }) => sum + tokens, 0))} tokens`,
  nightResumed: ({ night }: Data<'nightResumed'>) => `Resumed the run on ${night}`,
  nightMissed: ({ miss }: Data<'nightMissed'>) =>
    `Not committed: ${miss.title}${becausePhrase(miss.reason)}${miss.next === undefined ? '' : ` ${miss.next}`}`,
  nightTurn: ({ stages }: Data<'nightTurn'>) => `A turn took ${stages.map(describeStage).join(', ')}`,
  nightWish: ({ text, outcome, reason }: Data<'nightWish'>) =>
    `Wish ${WISH_OUTCOMES[outcome]}: ${text}${becausePhrase(reason)}`,
  nightWaiting: ({ night, until, reason }: Data<'nightWaiting'>) =>
    `The run on ${night} waits${until === null ? '' : ` until ${new Date(until).toISOString()}`}${becausePhrase(reason)}`,
  nightMoved: ({ night, commits, left }: Data<'nightMoved'>) =>
    `Moved ${night} to another commit: ${formatCount(commits.length, 'change')} kept, ${left.length} left out`,
  nightUpgrade: ({ step, version, reason }: Data<'nightUpgrade'>) =>
    `Version ${version} ${step}${becausePhrase(reason)}`,
  nightTold: ({ event, by, failure }: Data<'nightTold'>) =>
    `${failure === null ? 'Notified' : 'Could not notify'} you by ${by}: ${event}${becausePhrase(failure)}`,
  wishAdded: ({ text }: Data<'wishAdded'>) => `Wish added: ${text}`,
  wishTested: ({ wish, tests }: Data<'wishTested'>) =>
    tests.length > 0 ? `Accepted a test for the wish ${wish}` : `The wish ${wish} needs no test`,
  wishDropped: ({ wish, proposal }: Data<'wishDropped'>) =>
    proposal === undefined ? `Wish dropped: ${wish}` : `A change for the wish ${wish} waits for you`,
  wishFirst: ({ wish }: Data<'wishFirst'>) => `Wish moved to the front: ${wish}`,
  wishMoved: ({ wish, before }: Data<'wishMoved'>) =>
    `Wish moved ${before === null ? 'to the end' : `before ${before}`}: ${wish}`,
  trainingChecked: ({ due }: Data<'trainingChecked'>) =>
    due === null ? 'No training is due' : `A training is due${becausePhrase(due)}`,
};

/** The data of the events of one type. */
type Data<T extends LedgerEvent['type']> = Extract<LedgerEvent, { readonly type: T }>['data'];

/** A task in words. */
function taskText({ kind, path, opportunity, id }: AskedTask): string {
  // The id of a fix without a file consists of its kind and the name of the test, which may be empty.
  const subject = path ?? opportunity ?? (id.startsWith(`${kind} `) ? id.slice(kind.length + 1) : id);
  return `${kind} ${subject}`.trim();
}

/**
 * The sentence for the event `refused`. The event is also recorded for proposals that no check has refused: they were
 * withdrawn, or were to replace another proposal, which then waits as before.
 */
function refusedSentence(
  { proposal, verdicts, reason }: ProposalData & { verdicts: readonly Verdict[]; reason: string | null },
  titleOf: (proposal: string) => string,
  proposalNamed: (proposal: string) => NamedProposal | undefined,
): string {
  const isJudged =
    verdicts.some(({ outcome }) => outcome === 'failed') ||
    verdicts.some(({ gate, outcome }) => gate === 'score' && outcome !== 'passed');
  if (isJudged) return `Refused: ${titleOf(proposal)}${becausePhrase(reason)}`;
  return proposalNamed(proposal)?.replaces === undefined
    ? `Put away: ${titleOf(proposal)}${becausePhrase(reason)}`
    : `Interrupted: ${titleOf(proposal)}. It waits as before.`;
}

/** Data of events about a run. */
interface NightData {
  readonly night: string;
}

/** Data of events about a proposal. */
interface ProposalData {
  readonly proposal: string;
}

/** The types of events that the sidebar shows: the keys of `SENTENCE_BY_EVENT`. */
export const SIDEBAR_EVENT_TYPES: readonly string[] = Object.keys(SENTENCE_BY_EVENT);

/** True if there is a sentence for events of this type. */
export function hasSentence(type: string): boolean {
  return findFormatter(type) !== undefined;
}

function findFormatter(type: string): SentenceFormatter | undefined {
  const formatters = Object.hasOwn(SENTENCE_BY_EVENT, type) ? SENTENCE_BY_EVENT : QUIET_SENTENCES;
  return Object.hasOwn(formatters, type) ? formatters[type] : undefined;
}

/** The event as one sentence; null for types of events without one. `proposals`: the proposals by id. */
export function ledgerSentence(
  { type, data }: Pick<StoredEvent, 'type' | 'data'>,
  proposals: ReadonlyMap<string, NamedProposal>,
): string | null {
  const proposalNamed = (id: string) => proposals.get(id);
  const text = findFormatter(type)?.(
    data as never,
    (id) => proposalNamed(id)?.title ?? 'a proposal that is no longer kept',
    proposalNamed,
  );
  if (text === undefined) return null;
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text;
}

/** The event as a line of the sidebar. Its text is the type if there is no sentence for it. */
export function ledgerLine(
  event: StoredEvent,
  proposals: ReadonlyMap<string, NamedProposal>,
): { readonly sequence: number; readonly at: number; readonly type: string; readonly text: string } {
  const { sequence, at, type } = event;
  return { sequence, at, type, text: ledgerSentence(event, proposals) ?? type };
}

/** The reason in parentheses, after a space; empty if there is none. */
function becausePhrase(reason: string | null): string {
  return reason ? ` (${plainReason(reason)})` : '';
}

/** A number with at most one decimal, and commas between thousands. */
function formatNumber(value: number): string {
  return (Math.round(value * 10) / 10).toLocaleString('en');
}
