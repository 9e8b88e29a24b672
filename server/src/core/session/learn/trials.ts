// Reads from the ledger which trials of recipes and proposers led to a kept change.

import type { StoredProposal } from '../../ledger/events.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { drawPromise, type PromiseScore, type Trial } from '../../learn/strategies.ts';
import type { Verdict } from '../../model.ts';
import { unlessDamaged, type SessionContext } from '../context.ts';
import { originOfQuestion, collectOrigins, readEvents } from './evidence.ts';

type Source = Pick<Ledger, 'histories' | 'query' | 'untaught'>;

/** The finished trials of this repository; in an unattended run, the trials in both ledgers. */
export async function readTrials({ ledger, repositoryLedger }: SessionContext): Promise<readonly Trial[]> {
  const trialsOfSession = await loadTrials(ledger);
  if (repositoryLedger === null) return [...trialsOfSession.values()];
  // For a change of a night, the ledger of the repository has the person's decision, and the ledger of the run has the
  // duration.
  const taught = [...(await loadTrials(repositoryLedger))].map(([id, trial]): [string, Trial] => [
    id,
    { ...trial, seconds: trial.seconds ?? trialsOfSession.get(id)?.seconds ?? null },
  ]);
  return [...new Map([...trialsOfSession, ...taught]).values()];
}

/** The chance of success of each recipe and proposer for each rule; all are equal before the first trial. */
export async function computePromise(context: SessionContext): Promise<PromiseScore> {
  return drawPromise(await unlessDamaged<readonly Trial[]>(context, [], () => readTrials(context)));
}

async function loadTrials(ledger: Source): Promise<ReadonlyMap<string, Trial>> {
  const events = readEvents(await ledger.query({ types: ['asked', 'answered', 'nightCommitted'] }));
  const untaught = await ledger.untaught();
  const histories = await ledger.histories();
  const origins = collectOrigins(events);
  const answers = new Map<string, { readonly seconds: number; readonly tokens: number }>();
  const trials = new Map<string, Trial>();
  const questions = new Map(events.flatMap((event) => (event.type === 'asked' ? [[event.data.ask, event.data]] : [])));
  for (const event of events) {
    if (event.type === 'nightCommitted') {
      const { proposal, rule, recipe, author } = event.data.change;
      const origin = origins.get(proposal) ?? { rule, by: author === 'recipe' ? recipe : author };
      trials.set(proposal, { id: proposal, ...origin, kept: true, seconds: null, tokens: 0 });
    } else if (event.type === 'answered') {
      const { ask, outcome, proposal, millis, usage } = event.data;
      const cost = { seconds: millis / 1000, tokens: usage === null ? 0 : usage.input + usage.output };
      const question = questions.get(ask);
      if (proposal !== null) answers.set(proposal, cost);
      // A provider that could not be reached shows nothing about its quality.
      else if (outcome === 'refused' && question)
        trials.set(ask, { id: ask, ...originOfQuestion(question), kept: false, ...cost });
    }
  }
  for (const proposal of histories) {
    const { id, opportunity, recipe, author = 'recipe', verdicts } = proposal;
    const wasKept = findOutcome(proposal) ?? trials.get(id)?.kept ?? null;
    if (wasKept === null) continue;
    const origin = origins.get(id) ?? { rule: opportunity.rule, by: author === 'recipe' ? recipe : author };
    const { seconds = 0, tokens = 0 } = answers.get(id) ?? {};
    trials.set(id, { id, ...origin, kept: wasKept, seconds: seconds + secondsOf(verdicts), tokens });
  }
  for (const id of untaught) trials.delete(id);
  return trials;
}

/**
 * The outcome of a trial: true if the change was kept; false if it was refused by a gate or a person, or rolled back;
 * null if it is still open, withdrawn, or replaced.
 */
function findOutcome({ status, verdicts, replacedBy }: StoredProposal): boolean | null {
  switch (status) {
    case 'kept':
      return true;
    case 'rejected':
      return replacedBy === undefined ? false : null;
    case 'rolledBack':
    case 'conflicted':
      return false;
    case 'refused':
      return isStale(verdicts) || !verdicts.some(({ outcome }) => outcome === 'failed') ? null : false;
    default:
      return null;
  }
}

function isStale(verdicts: readonly Verdict[]): boolean {
  return verdicts.some(({ gate, outcome }) => gate === 'applies' && outcome !== 'passed');
}

function secondsOf(verdicts: readonly Verdict[]): number {
  return verdicts.reduce((sum, { millis }) => sum + millis, 0) / 1000;
}
