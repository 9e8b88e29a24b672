// Finds candidates for the inbox in the lessons: rules from repeated corrections, and preferences for proposers.

import { findBetterProposers, type BetterProposer, type ComparedProposer } from '../../../learn/betterProposers.ts';
import { deriveName, selectNewestEvents, createSubjectId, type Candidate } from '../../../learn/inbox/candidates.ts';
import {
  collectCorrections,
  collectNotedCorrections,
  collectWords,
  findRepeatedCorrections,
  isFromAgents,
} from '../../../learn/inbox/corrections.ts';
import type { Enforced } from '../../../learn/enforced/configuredStyle.ts';
import { hintEnforced } from '../../../learn/enforced/explainEnforced.ts';
import type { CostUnit } from '../../../learn/proposerOrder.ts';
import type { InboxItem } from '../../../model/inbox.ts';
import { amountText } from '../../../../util/amountText.ts';
import { formatCount } from '../../../../util/counted.ts';
import { SelfwareError } from '../../../../util/typedError.ts';
import { notify, type SessionContext } from '../../context.ts';
import { readEnforced } from '../enforcedRules.ts';
import { FEEDBACK_EVENTS, collectFeedback } from '../feedbackEvents.ts';
import { readEvidence } from '../learning.ts';
import { readEvents } from '../lessonEvidence.ts';
import { readPreferences, readRoleTrials } from '../proposerTrials.ts';
import { createSimilarity } from '../wordVectors.ts';
import { readAllRules } from '../writtenRules.ts';

/**
 * A rule for each correction that a person has made on several changes, unless a filed item or a rule cites one of its
 * events. If the configuration of the repository enforces a rule, the rule is omitted if it comes from records of
 * agents or scripts; the description of a rule from a person says so.
 */
export async function findCorrectionRules(
  context: SessionContext,
  filedItems: readonly InboxItem[],
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const rules = await readAllRules(context);
  const citedEvents = new Set([...filedItems, ...rules].flatMap(({ events }) => events));
  const candidates = (await findRepeatedCorrectionRules(context, signal)).filter(
    ({ events }) => !events.some((sequence) => citedEvents.has(sequence)),
  );
  if (candidates.length === 0) return [];
  const enforced = await readEnforced(context);
  return candidates.flatMap((candidate) => {
    const hint = candidate.kind === 'skill' ? createHintIfEnforced(candidate.text, enforced) : null;
    if (hint === null) return candidate;
    return isFromAgents(candidate) ? [] : { ...candidate, description: `${candidate.description} ${hint}` };
  });
}

/**
 * A hint if the configuration of the repository enforces everything that a rule from corrections quotes; otherwise
 * null.
 */
function createHintIfEnforced(text: string, enforced: readonly Enforced[]): string | null {
  const quotations = [...text.matchAll(/“([^”]+)”/g)].map(([, words = '']) => words);
  const hints = quotations.map((words) => hintEnforced(words, enforced));
  return hints.includes(null) ? null : (hints[0] ?? null);
}

/** A rule for each correction that a person has made on several changes, whether or not it was filed before. */
export async function findRepeatedCorrectionRules(
  context: SessionContext,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const feedback = collectFeedback(readEvents(await context.ledger.query({ types: FEEDBACK_EVENTS })));
  const corrections = [...collectCorrections(await readEvidence(context)), ...collectNotedCorrections(feedback)];
  const similarity = await createSimilarity(context, collectWords(corrections), signal);
  return findRepeatedCorrections(corrections, similarity);
}

/**
 * Finds, for each rule, two proposers of a role of which the one that is asked later is almost certainly better, and
 * suggests the reverse order. If the setting of a role is wrong, adds a notice and returns none, so that other items
 * are still filed.
 */
export async function findPreferences(context: SessionContext): Promise<readonly Candidate[]> {
  try {
    const lists = await readRoleTrials(context);
    if (lists.length === 0) return [];
    return findBetterProposers(lists, await readPreferences(context)).map(createPreference);
  } catch (error) {
    if (!(error instanceof SelfwareError && error.reason === 'usage')) throw error;
    notify(context, { severity: 'warning', message: error.message, action: error.action });
    return [];
  }
}

function createPreference({
  rule,
  first,
  second,
  probability,
  unit,
  better,
  worse,
  events,
}: BetterProposer): Candidate {
  return {
    kind: 'preference',
    id: createSubjectId('preference', `${rule} ${first} ${second}`),
    name: deriveName(`${rule} by ${first}`),
    description:
      `For ${rule}, ${describeAnswers(better, unit)}; ${describeAnswers(worse, unit)}. With a probability of ` +
      `${Math.floor(probability * 100)} %, ${first} has more success per cost.`,
    rule,
    first,
    second,
    events: selectNewestEvents(events),
  };
}

/** The record of a proposer in words. */
function describeAnswers({ name, tries, passed, cost }: ComparedProposer, unit: CostUnit): string {
  const costText = cost === null ? '' : `, at ${describeCost(cost, unit)} each`;
  return `${passed} of ${tries} answers of ${name} passed${costText}`;
}

/** A mean cost in words. */
export function describeCost(cost: number, unit: CostUnit): string {
  if (unit === 'money') return `${amountText(cost)} by your prices`;
  return unit === 'tokens' ? formatCount(Math.round(cost), 'token') : `${cost.toFixed(1)} s`;
}
