// The first sentences of a night's report.

import { amountText } from '../../util/amountText.ts';
import { formatCount } from '../../util/counted.ts';
import { groupThousands } from '../../util/thousands.ts';
import { roundToHundredths } from '../../util/values/roundToHundredths.ts';
import type { Cost, NightSpending } from '../model/asks.ts';
import { findProposalsForPerson } from './nightQueries.ts';
import type { CommittedChange, Night } from './nightTypes.ts';
import { MINUTE_MS } from '../../util/timing/durations.ts';

/** True for a run that has ended, and has no changes, misses, searches, wishes or skipped opportunities to report. */
function hasNothingToReport({ state, changes, left, misses, searches, wishes, runs }: Night): boolean {
  const lists = [changes, left, misses, searches, wishes, ...runs.map(({ passedOver }) => Object.keys(passedOver))];
  return state === 'stopped' && lists.every(({ length }) => length === 0);
}

/**
 * The first sentences of the report: where the night began, how long it worked, and its result. `spent`: the cost of
 * all its questions to models; null if it is unknown.
 */
export function summariseNight(night: Night, spent: NightSpending | null = null): string {
  const { changes, base, runs, misses, waiting, lastAt } = night;
  // A run without a recorded end has lasted at least until its newest event.
  const minutes = runs.reduce((sum, { startedAt, endedAt }) => sum + ((endedAt ?? lastAt) - startedAt), 0) / MINUTE_MS;
  const minutesWaited = Math.round(runs.reduce((sum, { waitedFor }) => sum + waitedFor, 0) / MINUTE_MS);
  const waitedText = minutesWaited < 1 ? '' : `, of which ${durationText(minutesWaited)} waiting`;
  // Totals of different changes cannot be compared: the coverage may be measured for one tree and not for the next.
  const gains = changes.flatMap((change) => (change.points ? [change.points.after - change.points.before] : []));
  const gain = roundToHundredths(gains.reduce((sum, gainOfChange) => sum + gainOfChange, 0));
  const points = gain === 0 ? '' : ` ${formatSigned(gain)} points on the frozen ruler.`;
  const isSettled = (proposalId: string) => night.settled.includes(proposalId);
  const refusedCount = misses.filter(({ what }) => what !== 'asks' && what !== 'deferred').length;
  const deferredCount = misses.filter(({ what, proposal }) => what === 'deferred' && !isSettled(proposal)).length;
  const askingCount = findProposalsForPerson(night).filter(({ proposal }) => !isSettled(proposal)).length;
  const details = [
    ...(refusedCount > 0 ? [`${formatCount(refusedCount, 'proposal')} did not pass`] : []),
    ...(askingCount > 0 ? [formatCount(askingCount, 'waits for you', 'wait for you')] : []),
    ...(deferredCount > 0
      ? [formatCount(deferredCount, 'waits for a quieter machine', 'wait for a quieter machine')]
      : []),
  ];
  const runsText = runs.length > 1 ? `${runs.length} runs, together` : '1 run of';
  const timeText = minutes < 1 ? 'less than a minute' : durationText(Math.round(minutes));
  return [
    `From ${base.slice(0, 12)}, ${runsText} ${timeText}${waitedText}.${points}`,
    ...(details.length > 0 ? [`${details.join(', ')}.`] : []),
    ...(hasNothingToReport(night)
      ? ['No attempt and no search was finished in this time. A longer run gets further.']
      : []),
    ...moreWorkSentence(night),
    ...spendingSentence(spent),
    ...costSentences(changes, spent),
    ...(waiting
      ? [waiting.until === null ? waiting.reason : `It waits until ${formatClock(waiting.until)}: ${waiting.reason}`]
      : []),
  ].join(' ');
}

/** A number of minutes for people: `42 min`, `7 h`, `13 h 26 min`. */
function durationText(minutes: number): string {
  const [hours, remainingMinutes] = [Math.floor(minutes / 60), minutes % 60];
  return [
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(remainingMinutes > 0 || hours === 0 ? [`${remainingMinutes} min`] : []),
  ].join(' ');
}

/**
 * Says how a run can have more to do. Empty unless the run has tried everything that recipes and searches allow, and
 * has found nothing.
 */
function moreWorkSentence({ changes, left, misses, searches, wishes, runs }: Night): readonly string[] {
  const hasFound = searches.some(({ found, obstacle }) => found.length > 0 || obstacle !== undefined);
  const hasResults = [changes, left, misses, wishes].some(({ length }) => length > 0);
  const hasSearchedEverything = searches.findLast(({ search }) => search === 'tests')?.undone === 0;
  if (hasResults || hasFound || !hasSearchedEverything || runs.some(({ plan }) => plan.proposer !== null)) return [];
  return [
    'Recipes and searches found nothing new here.',
    'With a language model, a run has more to do, your wishes included: see `selfware night --help`.',
  ];
}

/**
 * The cost of all questions, with the money limit if there is one. Empty if nothing was asked, or if the cost is
 * unknown.
 */
function spendingSentence(spent: NightSpending | null): readonly string[] {
  if (spent === null || spent.questions === 0) return [];
  const { questions, input, output, isEstimated, money, unpriced, maxCost } = spent;
  const aboutWord = isEstimated ? 'about ' : '';
  const limit = maxCost === null ? '' : ` of at most ${amountText(maxCost)}`;
  const paid = unpriced === questions ? '' : `, ${aboutWord}${amountText(money)}${limit} by your prices`;
  const unknownNote =
    unpriced > 0 && paid !== '' ? ` (the price of ${formatCount(unpriced, 'question')} is unknown)` : '';
  const tokens = `${aboutWord}${groupThousands(input)} tokens to ask and ${aboutWord}${groupThousands(output)} to answer`;
  return [`${formatCount(questions, 'question')} to models cost ${tokens}${paid}${unknownNote}.`];
}

/** The costs of the kept changes: those that models made, and the examples from which recipes were learned. */
function costSentences(changes: readonly CommittedChange[], spent: NightSpending | null): readonly string[] {
  const costs = changes.flatMap(({ cost }) => cost ?? []);
  if (costs.length === 0 && spent !== null && spent.questions > 0)
    return ['None of that led to a change that was kept.'];
  const modelCosts = costs.filter(({ recipe }) => recipe === undefined);
  // The cost of the examples is shared by all changes of a recipe, and by all recipes of one answer.
  const learnedCosts = costs.flatMap((cost) => (cost.recipe === undefined ? [] : [{ ...cost, recipe: cost.recipe }]));
  const recipes = new Map(learnedCosts.map((cost) => [cost.recipe, cost]));
  const examples = [...new Map([...recipes.values()].map((cost) => [cost.ask ?? cost.recipe, cost])).values()];
  return [
    ...(modelCosts.length === 0 ? [] : [`Models made ${modelCosts.length} of them, for ${priceText(modelCosts)}.`]),
    ...(examples.length === 0
      ? []
      : [`${formatCount(recipes.size, 'recipe')} came from examples by models that cost ${priceText(examples)}.`]),
  ];
}

/** The tokens and, if all prices are known, the money of these costs together. */
function priceText(costs: readonly Cost[]): string {
  const [inputTokens, outputTokens] = [
    costs.reduce((sum, { usage }) => sum + usage.input, 0),
    costs.reduce((sum, { usage }) => sum + usage.output, 0),
  ];
  const estimateWord = costs.some(({ usage }) => usage.estimated) ? 'about ' : '';
  // Older events have no `amountsOrNull`.
  const amountsOrNull = costs.map((cost) => cost.money ?? null);
  const amounts = amountsOrNull.filter((amount) => amount !== null);
  const paid =
    amounts.length < amountsOrNull.length
      ? ''
      : `, ${estimateWord}${amountText(amounts.reduce((sum, amount) => sum + amount, 0))} by your prices`;
  return `${estimateWord}${groupThousands(inputTokens)} tokens to ask and ${estimateWord}${groupThousands(outputTokens)} to answer${paid}`;
}

/** The local time to the minute, such as `2026-03-01 02:30`. */
export function formatClock(at: number): string {
  const minutesAhead = -new Date(at).getTimezoneOffset();
  return new Date(at + minutesAhead * MINUTE_MS).toISOString().slice(0, 16).replace('T', ' ');
}

/** The points with their sign. */
export function formatSigned(points: number): string {
  return `${points < 0 ? '−' : '+'}${Math.abs(roundToHundredths(points))}`;
}
