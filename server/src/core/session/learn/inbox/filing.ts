// Files items in the inbox: at most one in each automatic analysis of feedback, rules from repeated corrections, and
// items that agents propose.

import { SelfwareError } from '../../../../util/typedError.ts';
import { escapeInvisibleLine } from '../../../../util/visible.ts';
import { findCandidates, deriveName, createSubjectId, type Candidate } from '../../../learn/inbox/candidates.ts';
import { findDuplicates } from '../../../learn/inbox/duplicates.ts';
import type { Feedback, FeedbackAnalysis } from '../../../learn/feedback.ts';
import { createUniqueName } from '../../../learn/inbox/naming.ts';
import { explainRefusedText } from '../../../learn/checkRuleText.ts';
import { redact } from '../../../ledger/redact.ts';
import type { InboxItem } from '../../../model/inbox.ts';
import { notify, type SessionContext } from '../../context.ts';
import { explainEnforcedRule } from '../enforcedRules.ts';
import { readEvents } from '../lessonEvidence.ts';
import { readAllRules } from '../writtenRules.ts';
import { addOpenItem, readInboxState, withInboxLock, type InboxState } from './files.ts';
import type { NewInboxItem } from './inboxTypes.ts';
import { findCorrectionRules, findPreferences } from './learnedCandidates.ts';

/**
 * Number of analyses from one comparison of the rules with each other to the next. With one analysis per hour, that is
 * a day.
 */
const CYCLES_BETWEEN_SCANS = 24;
/** Minimum time in milliseconds between two items of agents. */
const AGENT_PAUSE_MS = 3_600_000;
/** Minimum number of characters of a description, a wish and the text of a skill. */
const MIN_CHARACTERS = 15;
/** Maximum number of characters of a description, a wish and the text of a skill. */
const MAX_CHARACTERS = 400;

/** The result of one automatic analysis. */
export interface CycleFindings {
  readonly feedback: readonly Feedback[];
  readonly analysis: FeedbackAnalysis;
  /** The number of this analysis in the ledger, from 1. */
  readonly cycle: number;
}

/** The most useful candidate that was not filed before and is not refused; null if there is none. Does not file it. */
export async function findNextItem(
  context: SessionContext,
  { feedback, analysis, cycle }: CycleFindings,
  signal: AbortSignal,
): Promise<InboxItem | null> {
  const state = await readInboxState(context);
  const filedItems = [...state.filedItems.values(), ...state.open];
  const commandLines = filedItems.flatMap((item) => (item.kind === 'command' ? [item.command] : []));
  const candidates = [
    ...(cycle % CYCLES_BETWEEN_SCANS === 0 ? await findDuplicateRules(context) : []),
    ...(await findCorrectionRules(context, filedItems, signal)),
    ...(await findPreferences(context)),
    ...findCandidates(feedback, analysis, commandLines),
  ];
  const ids = new Set(filedItems.map(({ id }) => id));
  for (const candidate of candidates) {
    const item =
      ids.has(candidate.id) || candidate.events.length === 0 ? null : await createItem(context, candidate, signal);
    if (item) return item;
  }
  return null;
}

/**
 * Files a rule if a person has made the same correction on several changes. Start this after each rejection with a
 * reason, so that the rule need not wait for the next analysis. Does nothing in an unattended run, because the analysis
 * in the repository itself files the rule.
 */
export async function fileCorrectionRule(context: SessionContext, signal: AbortSignal): Promise<void> {
  if (context.repositoryLedger !== null) return;
  await nullIfUnusable(context, async () => {
    const { filedItems, open } = await readInboxState(context);
    const items = [...filedItems.values(), ...open];
    const candidates = await findCorrectionRules(context, items, signal);
    const candidate = candidates.find(({ id }) => items.every((item) => item.id !== id));
    const item = candidate && (await createItem(context, candidate, signal));
    if (!item) return;
    await fileItem(context, item);
    context.emit({ type: 'status' });
  });
}

/**
 * Files an item, and adds a notice. Does nothing while another process changes the inbox, because the next analysis
 * files the item.
 */
export async function fileItem(context: SessionContext, item: InboxItem): Promise<void> {
  let filedItem: InboxItem;
  try {
    filedItem = await withInboxLock(context, () => fileUniquely(context, item));
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'locked') return;
    throw error;
  }
  notify(context, {
    severity: 'info',
    message: `A ${filedItem.kind} is proposed: ${escapeInvisibleLine(filedItem.name)}. ${escapeInvisibleLine(filedItem.description)}`,
    action: 'Run `selfware inbox`: it shows the proposal, and you decide.',
  });
}

/**
 * Returns the result of `work`. If `work` throws a `SelfwareError`, for example because a file of the inbox cannot be
 * used, adds a notice and returns null, so that everything else continues. Throws `cancelled`, and other errors.
 */
export async function nullIfUnusable<T>(context: SessionContext, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SelfwareError) || error.reason === 'cancelled') throw error;
    notify(context, { severity: 'error', message: error.message, action: error.action });
    return null;
  }
}

/**
 * Files a proposal of an agent, without secrets. Throws `usage` for events that do not exist and for unusable texts and
 * commands, `conflict` if the item was proposed before, `forbidden` within an hour of the last item of an agent, and
 * `locked` while another process changes the inbox.
 */
export async function proposeItem(
  context: SessionContext,
  proposed: NewInboxItem,
  signal: AbortSignal,
): Promise<InboxItem> {
  const item = redact(await createAgentItem(context, proposed, signal)) as InboxItem;
  return withInboxLock(context, async () => {
    requireNew(await readInboxState(context), item);
    await requirePause(context);
    return fileUniquely(context, item);
  });
}

/** Files an item, unless the ledger already has it. Returns the item with its final name. */
async function fileUniquely(context: SessionContext, proposed: InboxItem): Promise<InboxItem> {
  const { open, filedItems } = await readInboxState(context);
  const item = { ...proposed, name: createUniqueName(proposed, [...open, ...filedItems.values()]) };
  if (filedItems.has(item.id)) return item;
  // If a process died between the two writes, the file already has the item.
  if (!open.some(({ id }) => id === item.id)) await addOpenItem(context, item);
  await context.ledger.record({ type: 'inboxFiled', data: { item } });
  return item;
}

/** Converts the candidate to an item; null for a command that is refused. */
async function createItem(
  context: SessionContext,
  candidate: Candidate,
  signal: AbortSignal,
): Promise<InboxItem | null> {
  if (candidate.kind !== 'command') return { ...candidate, by: 'selfware' };
  const reading = await context.ports.jobs.run('readCommand', { line: candidate.command }, signal);
  return 'refused' in reading ? null : { ...candidate, by: 'selfware', effects: reading.effects };
}

/** Candidates for switching off rules that nearly repeat other rules. */
async function findDuplicateRules(context: SessionContext): Promise<readonly Candidate[]> {
  const ruleEvents = readEvents(await context.ledger.query({ types: ['ruleWritten'] }));
  const sequences = new Map<string, number>();
  for (const event of ruleEvents) if (event.type === 'ruleWritten') sequences.set(event.data.rule, event.sequence);
  return findDuplicates(await readAllRules(context), sequences);
}

/** The proposal as an item. Throws `usage` for events that do not exist, and for unusable texts and commands. */
async function createAgentItem(
  context: SessionContext,
  proposed: NewInboxItem,
  signal: AbortSignal,
): Promise<InboxItem> {
  await requireEvents(context, proposed.events);
  const base = {
    name: deriveName(proposed.name),
    description: requireText('description', proposed.description),
    by: 'agent' as const,
    events: proposed.events,
  };
  if (proposed.kind === 'command') {
    const command = proposed.command.trim();
    const effects = await requireCommand(context, command, signal);
    return { ...base, kind: 'command', id: createSubjectId('command', command), command, effects };
  }
  if (proposed.kind === 'tool') {
    const wish = requireText('wish', proposed.wish);
    return { ...base, kind: 'tool', id: createSubjectId('tool', wish.toLowerCase()), wish };
  }
  const itemText = requireText('text', proposed.text);
  const refusalReason = explainRefusedText(proposed.text) ?? (await explainEnforcedRule(context, proposed.text));
  if (refusalReason) throw new SelfwareError('usage', refusalReason);
  const id = createSubjectId('skill', `${proposed.file} ${itemText.toLowerCase()}`);
  return { ...base, kind: 'skill', id, file: proposed.file, text: itemText, replaces: [] };
}

/** Reads the effects of a command line: whether it only reads. Throws `usage` with the reason if it is refused. */
export async function requireCommand({ ports }: SessionContext, line: string, signal: AbortSignal) {
  const reading = await ports.jobs.run('readCommand', { line }, signal);
  if ('effects' in reading) return reading.effects;
  throw new SelfwareError('usage', `This command is refused: ${escapeInvisibleLine(reading.refused)}.`, {
    action: 'Only commands that destroy nothing and stay on this machine can be proposed and applied.',
  });
}

/** The text on one line. Throws `usage` if it is too short or too long. `label`: its name in the message. */
function requireText(label: string, words: string): string {
  const text = escapeInvisibleLine(words.replace(/\s+/g, ' ').trim());
  if (text.length >= MIN_CHARACTERS && text.length <= MAX_CHARACTERS) return text;
  throw new SelfwareError('usage', `A ${label} has ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters.`);
}

/** Throws `conflict` if the item was filed before. */
function requireNew({ filedItems, open, decided }: InboxState, { id, kind }: InboxItem): void {
  const decision = decided.get(id);
  if (decision)
    throw new SelfwareError(
      'conflict',
      `This ${kind} was proposed before, and a person has decided: ${decision.verdict}.`,
    );
  if (filedItems.has(id) || open.some((item) => item.id === id))
    throw new SelfwareError('conflict', `This ${kind} was proposed before, and waits for a person.`);
}

/** Throws `forbidden` if an agent has filed an item within the last hour. */
async function requirePause({ ledger, ports }: SessionContext): Promise<void> {
  const filedEvents = readEvents(await ledger.query({ types: ['inboxFiled'] }));
  const lastByAgent = filedEvents.findLast((event) => event.type === 'inboxFiled' && event.data.item.by === 'agent');
  if (lastByAgent && lastByAgent.at > ports.clock.now() - AGENT_PAUSE_MS)
    throw new SelfwareError('forbidden', 'Agents propose at most one tool, command or skill in an hour.', {
      action: 'Propose it later, or tell the person.',
    });
}

/** Throws `usage` unless all of these events exist. */
async function requireEvents({ ledger }: SessionContext, events: readonly number[]): Promise<void> {
  const action = 'Take the numbers from `feedback analyze`.';
  if (events.length === 0)
    throw new SelfwareError('usage', 'A proposal needs the events that show the need.', { action });
  const storedEvents = await ledger.query({ after: Math.min(...events) - 1 });
  const sequences = new Set(storedEvents.map(({ sequence }) => sequence));
  const missingSequences = events.filter((sequence) => !sequences.has(sequence));
  if (missingSequences.length > 0)
    throw new SelfwareError('usage', `The ledger has no event ${missingSequences.join(', ')}.`, { action });
}
