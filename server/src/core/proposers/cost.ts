// Computes the cost of a proposal: all attempts at its task since the last kept change, up to the answer that became
// the proposal or that gave the examples of its recipe.

import { amountText } from '../../util/amountText.ts';
import { formatCount } from '../../util/counted.ts';
import { groupThousands } from '../../util/thousands.ts';
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
  const earlierEvents = events.slice(0, Math.max(0, answerIndex));
  const rounds = findSuccessfulRounds(earlierEvents, collectAnswers(earlierEvents), kept);
  const lastPaidIndex = earlierEvents.findLastIndex(
    ({ asked: question }) => question?.task.id === task && rounds.has(question?.round ?? question?.ask ?? ''),
  );
  return computeCostUntil(events.slice(lastPaidIndex + 1), answerIndex - lastPaidIndex - 1);
}

/** Computes the cost of the examples of a learned recipe, as known at the time `until`; null if no model made them. */
export function computeCostOfExamples(events: readonly AskEvent[], recipe: string, until: Millis): Cost | null {
  const lastExampleIndex = events.findLastIndex(
    ({ at, answered }) => at <= until && answered?.recipes?.includes(recipe),
  );
  const cost = computeCostUntil(events, lastExampleIndex);
  return cost && { ...cost, recipe, ask: events[lastExampleIndex]!.answered!.ask };
}

/** Computes the cost of the task that the event at `answerIndex` answers; null for -1. */
function computeCostUntil(events: readonly AskEvent[], answerIndex: number): Cost | null {
  if (answerIndex < 0) return null;
  const task = events[answerIndex]!.answered!.task.id;
  // Later questions, and later resets of the task, belong to a later proposal.
  const eventsUntilAnswer = events.slice(0, answerIndex + 1);
  const questions = eventsUntilAnswer.flatMap((event) => (event.asked?.task.id === task ? event.asked : []));
  const questionsSinceReset = questions.slice(
    Math.max(
      0,
      questions.findLastIndex(({ fresh }) => fresh === true),
    ),
  );
  const answers = collectAnswers(eventsUntilAnswer);
  const answeredQuestions = questionsSinceReset.filter(({ ask }) => answers.has(ask));
  const usage = answeredQuestions
    .map(({ ask }) => answers.get(ask)?.usage ?? { ...NOTHING_USED, estimated: true })
    .reduce(addUsage, NOTHING_USED);
  return {
    usage,
    attempts: new Set(answeredQuestions.map(({ ask, round }) => round ?? ask)).size,
    money: computeMoney(answeredQuestions, answers),
    models: [...new Set(answeredQuestions.flatMap(({ ask }) => answers.get(ask)?.model ?? []))],
    ...findResearch(questionsSinceReset),
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
function computeMoney(questions: readonly AskedData[], answers: ReturnType<typeof collectAnswers>): number | null {
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
  const cacheText = usage.cached === 0 ? '' : ` (${groupThousands(usage.cached)} of them from the provider's cache)`;
  const tokenText = `${estimateWord}${groupThousands(usage.input)} tokens to ask${cacheText} and ${estimateWord}${groupThousands(usage.output)} to answer`;
  const moneyText = money === null ? '' : `, ${estimateWord}${amountText(money)} by your prices`;
  const researchText = research
    .map(({ tool, query, addresses }) => ` ${describeResearch(tool, query, addresses)}`)
    .join('');
  const attemptsText = `${formatCount(attempts, 'attempt')}${modelsText}`;
  return recipe === undefined
    ? `It took ${attemptsText}: ${tokenText}${moneyText}.${researchText}`
    : `Learned from examples that cost ${tokenText}${moneyText}, once for all places (${attemptsText}).${researchText}`;
}

/** Describes the source of an answer from outside for a person. The addresses are untrusted text. */
function describeResearch(tool: string, query: string, addresses: readonly string[]): string {
  const addressText = addresses.length === 0 ? '' : `, which named ${addresses.map(escapeInvisibleLine).join(', ')}`;
  return `It was shown what ${escapeInvisibleLine(tool)} answered to ${quoteText(query, 300)}${addressText}.`;
}
