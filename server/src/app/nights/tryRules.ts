// Tries a rule of the repository while a run waits: its proposer answers recorded tasks with and without the rule.

import type { WrittenRule } from '../../core/learn/ruleBook.ts';
import { isShownToModels } from '../../core/learn/ruleRoutes.ts';
import { MIN_EXAMPLES } from '../../core/learn/training/evaluation.ts';
import type { LearnedSection } from '../../core/session/learn/learnTypes.ts';
import type { Settings } from '../../settings/schema.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type { BegunRun } from './beginRun.ts';
import { chooseTrustedProposer } from './giveCanary.ts';
import { runInRepository } from './open/inRepository.ts';
import type { NightContext } from './night.ts';

/** Maximum number of recorded tasks of a trial. */
const MAX_TASKS = 15;
/**
 * Keys (start and folder) of the orders for which this process has tried a rule. There is one trial per order, because
 * it costs tokens, and a run may wait after each commit.
 */
const ordersWithTrial = new Set<string>();

/**
 * Tries one rule in a session on the repository, whose ledger has the rules and the recorded tasks. Does nothing
 * without a proposer, if all rules were tried, or if the run has tried one before. The run gets a note about the
 * outcome, and about a trial that is not possible. Throws `cancelled`, and errors that are not a `SelfwareError`.
 */
export async function tryRules(
  context: NightContext,
  begunRun: BegunRun,
  settings: Pick<Settings, 'night.ruleTokens'>,
  signal: AbortSignal,
): Promise<void> {
  const { request } = context;
  const tokens = settings['night.ruleTokens'];
  const order = `${begunRun.since} ${request.rootDir}`;
  if (ordersWithTrial.has(order)) return;
  const proposer = await chooseTrustedProposer(context, begunRun);
  if (proposer === null || tokens === 0) return;
  try {
    await runInRepository(request, begunRun.since, async ({ learned }) => {
      const note = await tryFirst(learned, { proposer, tokens, signal, onAsk: () => ordersWithTrial.add(order) });
      if (note !== null) request.onEvent({ type: 'note', text: note });
    });
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    request.onEvent({ type: 'note', text: `No rule was tried. ${describeError(error)}` });
  }
}

/** The proposer and the limit of a trial. */
interface TrialLimits {
  readonly proposer: string;
  readonly tokens: number;
  readonly signal: AbortSignal;
  /** Called before the first question to the proposer. */
  onAsk?(): void;
}

/**
 * Tries the first rule without a result that has enough recorded tasks, rules without a trial first. Returns the result
 * as sentences; null if no rule could be tried.
 */
export async function tryFirst(
  learned: Pick<LearnedSection, 'rules' | 'tryRule'>,
  { proposer, tokens, signal, onAsk }: TrialLimits,
): Promise<string | null> {
  const dueRules = (await learned.rules()).filter(isDue);
  for (const rule of dueRules.toSorted((a, b) => Number(a.trial !== null) - Number(b.trial !== null))) {
    const report = () => onAsk?.();
    const trial = await learned.tryRule({ rule: rule.id, proposer, tasks: MAX_TASKS, tokens, signal, report });
    // With too few recorded tasks, nothing was asked.
    if (trial.tokens === 0) continue;
    const end = trial.outcome === 'harmful' ? ' It makes answers worse, so it is off now.' : '';
    return `A rule was tried: “${rule.text}” ${trial.reason}${end}`;
  }
  return null;
}

/**
 * True if models are told the rule, and it was not tried, or its trial was cut off. A complete trial without a clear
 * result is not repeated, because repeated trials would call a rule without any effect harmful by chance. A trial whose
 * answers could not be judged is not repeated either, because it would cost the same again. A trial that was cut off is
 * repeated only once, because the same limit of tokens would cut it off every time.
 */
function isDue(rule: WrittenRule): boolean {
  const { state, trial } = rule;
  const isCutOff =
    trial?.outcome === 'unknown' && trial.tasks > 0 && trial.tasks < MIN_EXAMPLES && rule.isTriedAgain !== true;
  return state === 'on' && isShownToModels(rule) && (trial === null || isCutOff);
}
