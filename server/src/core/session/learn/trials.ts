// Reads from the ledger which trials of recipes and proposers led to a kept change.

import { determineOutcome } from '../../ledger/changeOutcome.ts';
import type { RecordedEvent, StoredProposal } from '../../ledger/events.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import {
  createPromiseScore,
  createFailingTest,
  createRestingTest,
  type PromiseScore,
  type Trial,
} from '../../learn/strategies.ts';
import type { Verdict } from '../../model.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import { determineQuestionOrigin, collectOrigins, readEvents } from './lessonEvidence.ts';

/** The parts of a ledger from which trials are read. */
type TrialLedger = Pick<Ledger, 'histories' | 'query' | 'idsWithForgottenLessons'>;

/** The finished trials of this repository; in an unattended run, the trials in both ledgers. */
export async function readTrials({ ledger, repositoryLedger }: SessionContext): Promise<readonly Trial[]> {
  const trialsOfSession = await loadTrials(ledger);
  if (repositoryLedger === null) return [...trialsOfSession.values()];
  // For a change of a night, the ledger of the repository has the person's decision, and the ledger of the run has the
  // duration.
  const repositoryTrials = [...(await loadTrials(repositoryLedger))].map(([id, trial]): [string, Trial] => [
    id,
    { ...trial, seconds: trial.seconds ?? trialsOfSession.get(id)?.seconds ?? null },
  ]);
  return [...new Map([...trialsOfSession, ...repositoryTrials]).values()];
}

/** The experience from the trials with each recipe and proposer, for each rule. */
export interface Experience {
  /**
   * The chance that a maker (a recipe or a proposer) succeeds for a rule. Before the first trial, all chances are
   * equal.
   */
  readonly promising: PromiseScore;
  /** True if a person does not want changes by this maker for this rule. */
  isResting(rule: string, maker: string): boolean;
  /** True if this maker has failed for this rule whenever it was tried. */
  isFailing(rule: string, maker: string): boolean;
}

/** Reads the experience from the trials. If the ledger is damaged, there are no trials. */
export async function readExperience(context: SessionContext): Promise<Experience> {
  const trials = await fallBackIfDamaged<readonly Trial[]>(context, [], () => readTrials(context));
  return {
    promising: createPromiseScore(trials),
    isResting: createRestingTest(trials),
    isFailing: createFailingTest(trials),
  };
}

/** The finished trials in one ledger, by the id of the proposal, or of the question if there is no proposal. */
async function loadTrials(ledger: TrialLedger): Promise<ReadonlyMap<string, Trial>> {
  const events = readEvents(await ledger.query({ types: ['asked', 'answered', 'nightCommitted', 'rejected'] }));
  const idsWithForgottenLessons = await ledger.idsWithForgottenLessons();
  const histories = await ledger.histories();
  const origins = collectOrigins(events);
  const answers = new Map<string, { readonly seconds: number; readonly tokens: number }>();
  const trials = new Map<string, Trial>();
  const rejectedIds = new Set(events.flatMap((event) => (isRejectedByPerson(event) ? [event.data.proposal] : [])));
  const questions = new Map(events.flatMap((event) => (event.type === 'asked' ? [[event.data.ask, event.data]] : [])));
  for (const event of events) {
    if (event.type === 'nightCommitted') {
      const { proposal, rule, recipe, author } = event.data.change;
      const origin = origins.get(proposal) ?? { rule, by: author === 'recipe' ? recipe : author };
      trials.set(proposal, { id: proposal, ...origin, kept: true, unwanted: false, seconds: null, tokens: 0 });
    } else if (event.type === 'answered') {
      const { ask, outcome, proposal, millis, usage } = event.data;
      const cost = { seconds: millis / 1000, tokens: usage === null ? 0 : usage.input + usage.output };
      const question = questions.get(ask);
      if (proposal !== null) answers.set(proposal, cost);
      // A provider that could not be reached shows nothing about its quality, so only a refusal counts.
      else if (outcome === 'refused' && question)
        trials.set(ask, { id: ask, ...determineQuestionOrigin(question), kept: false, unwanted: false, ...cost });
    }
  }
  for (const proposal of histories) {
    const { id, opportunity, recipe, author = 'recipe', verdicts } = proposal;
    // If a person has rewritten the lines of a change, it is open again whether the change was a success.
    if (proposal.rework?.undone === false) trials.delete(id);
    const wasKept = determineSuccess(proposal) ?? trials.get(id)?.kept ?? null;
    if (wasKept === null) continue;
    const origin = origins.get(id) ?? { rule: opportunity.rule, by: author === 'recipe' ? recipe : author };
    const { seconds = 0, tokens = 0 } = answers.get(id) ?? {};
    const unwanted = !wasKept && rejectedIds.has(id);
    trials.set(id, { id, ...origin, kept: wasKept, unwanted, seconds: seconds + sumSeconds(verdicts), tokens });
  }
  for (const id of idsWithForgottenLessons) trials.delete(id);
  return trials;
}

/**
 * The outcome of a trial: true if the change was kept; false if it was refused by a gate or a person, rolled back or
 * undone; null if it is still open, withdrawn, replaced, or rewritten by a person.
 */
function determineSuccess(proposal: StoredProposal): boolean | null {
  const outcome = determineOutcome(proposal);
  return outcome === null || outcome === 'replaced' || outcome === 'rewritten' ? null : outcome === 'kept';
}

/**
 * True for a rejection by a person. A change that was rolled back does not count, because the person may only have
 * tried out the rollback.
 */
function isRejectedByPerson(event: RecordedEvent): event is Extract<RecordedEvent, { readonly type: 'rejected' }> {
  return event.type === 'rejected' && event.data.by === 'person';
}

function sumSeconds(verdicts: readonly Verdict[]): number {
  return verdicts.reduce((sum, { millis }) => sum + millis, 0) / 1000;
}
