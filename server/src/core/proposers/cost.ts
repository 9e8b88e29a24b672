// Computes the cost of a proposal: all attempts at its task since the last kept change, up to the answer that became
// the proposal or that gave the examples of its recipe.

import { amountText } from '../../util/amountText.ts';
import { counted } from '../../util/counted.ts';
import { thousands } from '../../util/thousands.ts';
import { quoteText, escapeInvisibleLine } from '../../util/visible.ts';
import type { AskedData, Cost } from '../model/asks.ts';
import { collectAnswers, countTokens, findSuccessfulRounds, type AskEvent } from './accounts.ts';
import type { Millis } from '../model.ts';
import { computeAmount } from './prices.ts';
import { addUsage, NOTHING_USED } from './usage.ts';

/**
 * Computes the cost of a proposal; null if it was not made by a model. `events`: oldest first. `kept`: ids of kept
 * proposals.
 */
export function computeCost(
  events: readonly AskEvent[],
  proposal: string,
  kept: ReadonlySet<string> = new Set(),
): Cost | null {
  const answerIndex = events.findIndex(({ answered }) => answered?.proposal === proposal);
  const task = events[answerIndex]?.answered?.task.id;
  // Attempts up to an earlier kept change are part of the cost of that change.
  const earlier = events.slice(0, Math.max(0, answerIndex));
  const rounds = findSuccessfulRounds(earlier, collectAnswers(earlier), kept);
  const paidUntil = earlier.findLastIndex(
    ({ asked: question }) => question?.task.id === task && rounds.has(question?.round ?? question?.ask ?? ''),
  );
  return costUntil(events.slice(paidUntil + 1), answerIndex - paidUntil - 1);
}

/** Computes the cost of the examples of a learned recipe, as known at the time `until`; null if no model made them. */
export function costOfExamples(events: readonly AskEvent[], recipe: string, until: Millis): Cost | null {
  const taught = events.findLastIndex(({ at, answered }) => at <= until && answered?.recipes?.includes(recipe));
  const cost = costUntil(events, taught);
  return cost && { ...cost, recipe, ask: events[taught]!.answered!.ask };
}

/** Computes the cost of the task that the event at `answerIndex` answers; null for -1. */
function costUntil(events: readonly AskEvent[], answerIndex: number): Cost | null {
  if (answerIndex < 0) return null;
  const task = events[answerIndex]!.answered!.task.id;
  // Later questions, and later resets of the task, belong to a later proposal.
  const until = events.slice(0, answerIndex + 1);
  const questions = until.flatMap((event) => (event.asked?.task.id === task ? event.asked : []));
  const askedSinceFresh = questions.slice(
    Math.max(
      0,
      questions.findLastIndex(({ fresh }) => fresh === true),
    ),
  );
  const answers = collectAnswers(until);
  const answered = askedSinceFresh.filter(({ ask }) => answers.has(ask));
  const usage = answered
    .map(({ ask }) => answers.get(ask)?.usage ?? { ...NOTHING_USED, estimated: true })
    .reduce(addUsage, NOTHING_USED);
  return {
    usage,
    attempts: new Set(answered.map(({ ask, round }) => round ?? ask)).size,
    money: computeMoney(answered, answers),
    models: [...new Set(answered.flatMap(({ ask }) => answers.get(ask)?.model ?? []))],
    ...findResearch(askedSinceFresh),
  };
}

/** Collects the results of online research in these questions, each result once. */
function findResearch(questions: readonly AskedData[]): Pick<Cost, 'research'> {
  const sources = new Map(
    questions.flatMap(({ research = [] }) => research.map((source) => [source.hash, source] as const)),
  );
  return sources.size === 0 ? {} : { research: [...sources.values()] };
}

/** Sums the money for these questions; null if the price of one of them is unknown. */
export function computeMoney(
  questions: readonly AskedData[],
  answers: ReturnType<typeof collectAnswers>,
): number | null {
  let sum = 0;
  for (const question of questions) {
    if (!question.price) return null;
    sum += computeAmount(countTokens(question, answers.get(question.ask)), question.price);
  }
  return sum;
}

/** Describes the cost in one or two sentences for a person. */
export function costSentence({ usage, attempts, money, models, research = [], recipe }: Cost): string {
  const estimateWord = usage.estimated ? 'about ' : '';
  const modelsText = models.length === 0 ? '' : ` by ${models.join(', ')}`;
  const cacheText = usage.cached === 0 ? '' : ` (${thousands(usage.cached)} of them from the provider's cache)`;
  const tokenText = `${estimateWord}${thousands(usage.input)} tokens to ask${cacheText} and ${estimateWord}${thousands(usage.output)} to answer`;
  const paid = money === null ? '' : `, ${estimateWord}${amountText(money)} by your prices`;
  const researchText = research
    .map(({ tool, query, addresses }) => ` ${researchSentence(tool, query, addresses)}`)
    .join('');
  const tries = `${counted(attempts, 'attempt')}${modelsText}`;
  return recipe === undefined
    ? `It took ${tries}: ${tokenText}${paid}.${researchText}`
    : `Learned from examples that cost ${tokenText}${paid}, once for all places (${tries}).${researchText}`;
}

/** Describes the source of an answer from outside for a person. The addresses are untrusted text. */
function researchSentence(tool: string, query: string, addresses: readonly string[]): string {
  const addressText = addresses.length === 0 ? '' : `, which named ${addresses.map(escapeInvisibleLine).join(', ')}`;
  return `It was shown what ${escapeInvisibleLine(tool)} answered to ${quoteText(query, 300)}${addressText}.`;
}
