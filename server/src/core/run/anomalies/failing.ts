// Recognises a rule whose proposals used to pass and now keep failing: the checks may be broken.

import { EXTERNAL_RECIPE } from '../../model/authors.ts';
import { type Anomaly, type RunFacts, rulePhrase } from './facts.ts';

/** Number of newest attempts of a rule that are compared with all earlier ones. */
const RECENT_ATTEMPTS = 20;
/** Minimum number of earlier attempts. Fewer do not show what is usual. */
const MIN_EARLIER_ATTEMPTS = 20;
/**
 * The newest attempts are unusual if the probability that so few of them pass by chance is lower than this, given the
 * earlier rate.
 */
const MAX_PROBABILITY = 0.001;

/**
 * The anomaly; null if no rule fails unusually often, or if too few attempts are known. All of the newest attempts must
 * be later than the last start or continuation by a person.
 */
export function findFailingRule({ attempts, since }: RunFacts): Anomaly | null {
  for (const rule of new Set(attempts.filter(({ at }) => at > since).map((attempt) => attempt.rule))) {
    // Proposals of all models and agents share one rule, so a different model would be enough to look like broken
    // checks.
    if (rule === EXTERNAL_RECIPE) continue;
    const attemptsOfRule = attempts.filter((attempt) => attempt.rule === rule);
    const recentAttempts = attemptsOfRule.slice(-RECENT_ATTEMPTS);
    const earlierAttempts = attemptsOfRule.slice(0, -RECENT_ATTEMPTS);
    if (earlierAttempts.length < MIN_EARLIER_ATTEMPTS || recentAttempts.some(({ at }) => at <= since)) continue;
    const [passedBefore, passedRecently] = [countPassed(earlierAttempts), countPassed(recentAttempts)];
    const usualRate = computeWilsonLowerBound(passedBefore, earlierAttempts.length);
    if (computeBinomialCdf(passedRecently, RECENT_ATTEMPTS, usualRate) >= MAX_PROBABILITY) continue;
    const reason =
      `Of the last ${RECENT_ATTEMPTS} proposals ${rulePhrase(rule)}, ${passedRecently} passed; ` +
      `of the ${earlierAttempts.length} before, ${passedBefore} did. The checks may be broken.`;
    return { kind: 'failing', reason };
  }
  return null;
}

function countPassed(attempts: RunFacts['attempts']): number {
  return attempts.filter(({ passed }) => passed).length;
}

/** The lower end of Wilson's 95 % interval for the rate of success, if `passed` of `total` attempts succeeded. */
function computeWilsonLowerBound(passed: number, total: number): number {
  const z = 1.96;
  const rate = passed / total;
  const middle = rate + z ** 2 / (2 * total);
  const spread = z * Math.sqrt((rate * (1 - rate)) / total + z ** 2 / (4 * total ** 2));
  return Math.max(0, (middle - spread) / (1 + z ** 2 / total));
}

/** The probability of at most `maxSuccesses` successes in `attempts` attempts at this rate of success (binomial distribution). */
function computeBinomialCdf(maxSuccesses: number, attempts: number, rate: number): number {
  let sum = 0;
  let combinations = 1;
  for (let successes = 0; successes <= maxSuccesses; successes += 1) {
    sum += combinations * rate ** successes * (1 - rate) ** (attempts - successes);
    combinations *= (attempts - successes) / (successes + 1);
  }
  return sum;
}
