// Compares the outcomes of a night's proposals with the outcomes when they are judged again.

import type { Author } from '../model/authors.ts';
import type { Judgement } from '../model/judgement.ts';
import { formatCount } from '../../util/counted.ts';
import { STRENGTHS, type Strength, type Verdict } from '../model.ts';

/** A proposal of a night that was judged again. */
export interface ReplayedProposal {
  readonly proposal: string;
  readonly title: string;
  /** Its outcome in the night. */
  readonly was: 'committed' | 'refused' | 'rolledBack' | 'asks' | 'brokeDown';
  /** The new judgement compared with the judgement of the night. */
  readonly outcome: 'same' | 'different' | 'unknown';
  /** One sentence: the new outcome, or the reason why it is unknown. */
  readonly found: string;
  /** Set if the outcome is unknown because the judgement itself has failed. */
  readonly hasFailed?: true;
  /** Set if the outcome is unknown because the proposer would have been asked about another tree. */
  readonly needsNewReply?: true;
}

/** The part of a new judgement that is compared with the recorded one. */
type JudgementResult = Pick<Judgement, 'verdicts' | 'strength'>;
type ComparisonResult = Pick<ReplayedProposal, 'outcome' | 'found' | 'needsNewReply'>;

/**
 * Compares a change that was committed with its new judgement. `objection`: the reason why the change may not stay;
 * null if there is none.
 */
export function compareCommitted(
  strength: Strength,
  objection: string | null,
  judgement: JudgementResult,
): ComparisonResult {
  if (objection !== null) return { outcome: 'different', found: `It would not be committed: ${objection}` };
  const isWeaker = STRENGTHS.indexOf(judgement.strength) > STRENGTHS.indexOf(strength);
  if (isWeaker) return { outcome: 'different', found: `It was ${strength}, and is only ${judgement.strength} now.` };
  return { outcome: 'same', found: `It holds, and is ${judgement.strength}.` };
}

/**
 * Compares a change that was refused with its new judgement. `earlierVerdicts`: the verdicts of the night. Gates that
 * judge only proposals, such as the points gate, have no new verdict, so the outcome is unknown if only they failed.
 */
export function compareRefused(
  earlierVerdicts: readonly Pick<Verdict, 'gate' | 'outcome'>[],
  judgement: JudgementResult,
): ComparisonResult {
  const failedGates = earlierVerdicts.filter(({ outcome }) => outcome === 'failed').map(({ gate }) => gate);
  const repeatedVerdicts = judgement.verdicts.filter(({ gate }) => failedGates.includes(gate));
  const stillFailed = repeatedVerdicts.find(({ outcome }) => outcome === 'failed');
  if (stillFailed) return { outcome: 'same', found: `It is refused: ${stillFailed.reason}` };
  const passed = repeatedVerdicts.find(({ outcome }) => outcome === 'passed');
  if (passed) return { outcome: 'different', found: `${passed.gate} failed then, and passes now: ${passed.reason}` };
  const reason = repeatedVerdicts[0]?.reason ?? `${failedGates.join(', ') || 'The check'} judges proposals alone.`;
  return { outcome: 'unknown', found: reason };
}

/**
 * The reason why a version with these judgements may not take over a run: it judged a proposal differently, failed to
 * judge one, or confirmed no committed change. Null if there is none.
 */
export function explainRefusedVersion(replayed: readonly ReplayedProposal[]): string | null {
  const firstDifference = replayed.find(({ outcome }) => outcome === 'different');
  if (firstDifference) return `It judges “${firstDifference.title}” differently. ${firstDifference.found}`;
  const failedProposal = replayed.find(({ hasFailed }) => hasFailed);
  if (failedProposal) return `It cannot judge “${failedProposal.title}”. ${failedProposal.found}`;
  const committed = replayed.filter(({ was }) => was === 'committed');
  const isJudged = committed.length === 0 || committed.some(({ outcome }) => outcome === 'same');
  return isJudged ? null : `It could judge no change of the run again. ${committed[0]!.found}`;
}

/** A sentence about how many proposals the check of a version has judged as before. */
export function replayedSentence(replayed: readonly ReplayedProposal[]): string {
  const { same } = countReplayed(replayed);
  return same === 0
    ? 'Its check had nothing to compare: no proposal of the run could be judged again.'
    : `Its check judged ${formatCount(same, 'proposal')} of the run as before.`;
}

/** The number of replayed proposals with each outcome, and of those that would have needed a new reply. */
export function countReplayed(
  replayed: readonly ReplayedProposal[],
): Readonly<Record<ReplayedProposal['outcome'] | 'needsNewReply', number>> {
  const count = (outcome: ReplayedProposal['outcome']) =>
    replayed.filter((proposal) => proposal.outcome === outcome).length;
  const newReplyCount = replayed.filter((proposal) => proposal.needsNewReply).length;
  return {
    same: count('same'),
    different: count('different'),
    unknown: count('unknown'),
    needsNewReply: newReplyCount,
  };
}

/** Authors that are asked for a reply. */
const REPLYING_AUTHORS: ReadonlySet<Author> = new Set(['model', 'agent', 'client']);

/**
 * The outcome of a proposal whose author would have been asked about another tree, because an earlier proposal has
 * another outcome now. Null if there is no such proposal, or if no reply was needed. `changedTitle`: the title of the
 * first proposal whose outcome is different; null if there is none.
 */
export function compareWithoutReply(author: Author | undefined, changedTitle: string | null): ComparisonResult | null {
  if (changedTitle === null || author === undefined || !REPLYING_AUTHORS.has(author)) return null;
  return {
    outcome: 'unknown',
    found: `It would need a new reply, because the outcome of “${changedTitle}” before it is different.`,
    needsNewReply: true,
  };
}
