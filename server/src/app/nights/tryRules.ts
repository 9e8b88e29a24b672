// Tries a rule of the repository while a run waits: its proposer answers recorded tasks with and without the rule.

import type { WrittenRule } from '../../core/learn/ruleBook.ts';
import { isToldToModels } from '../../core/learn/ruleRoutes.ts';
import type { LearnedSection } from '../../core/session/learn/learned.ts';
import type { Session } from '../../core/session.ts';
import type { Settings } from '../../settings/schema.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { createApp } from '../createApp.ts';
import { settingsOf } from '../teamSettings.ts';
import type { BegunRun } from './beginRun.ts';
import { chooseTrustedProposer } from './giveCanary.ts';
import type { NightContext } from './night.ts';

/** Maximum number of recorded tasks of a trial. */
const MAX_TASKS = 15;

/**
 * Tries one rule in a session on the repository, whose ledger has the rules and the recorded tasks. Does nothing
 * without a proposer, or if all rules were tried. The run gets a note about the outcome, and about a trial that is not
 * possible. Throws `cancelled`, and errors that are no `SelfwareError`.
 */
export async function tryRules(
  context: NightContext,
  begun: BegunRun,
  settings: Pick<Settings, 'night.ruleTokens'>,
  signal: AbortSignal,
): Promise<void> {
  const { request } = context;
  const tokens = settings['night.ruleTokens'];
  const proposer = await chooseTrustedProposer(context, begun);
  if (proposer === null || tokens === 0) return;
  try {
    await inRepository(context, async ({ learned }) => {
      const note = await tryFirst(learned, { proposer, tokens, signal });
      if (note !== null) request.onEvent({ type: 'note', text: note });
    });
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    request.onEvent({ type: 'note', text: `No rule was tried. ${describeError(error)}` });
  }
}

interface TrialLimits {
  readonly proposer: string;
  readonly tokens: number;
  readonly signal: AbortSignal;
}

/** Tries the first rule without a result that has enough recorded tasks. Returns the result as sentences, or null. */
export async function tryFirst(
  learned: Pick<LearnedSection, 'rules' | 'tryRule'>,
  { proposer, tokens, signal }: TrialLimits,
): Promise<string | null> {
  for (const rule of (await learned.rules()).filter(isDue)) {
    const trial = await learned.tryRule({ rule: rule.id, proposer, tasks: MAX_TASKS, tokens, signal });
    // With too few recorded tasks, nothing was asked.
    if (trial.tokens === 0) continue;
    const end = trial.outcome === 'harmful' ? ' It makes answers worse, so it is off now.' : '';
    return `A rule was tried: “${rule.text}” ${trial.reason}${end}`;
  }
  return null;
}

/** True if models are told the rule and no trial has shown what it does. */
function isDue(rule: WrittenRule): boolean {
  const { state, trial } = rule;
  return state === 'on' && isToldToModels(rule) && (trial === null || trial.outcome === 'unknown');
}

async function inRepository(
  { request }: NightContext,
  work: (session: Pick<Session, 'learned'>) => Promise<void>,
): Promise<void> {
  const { rootDir, personSettings, env, log, editorModels } = request;
  const { settings, problems } = settingsOf(rootDir, personSettings);
  const { session } = await createApp({
    rootDir,
    settings,
    settingsProblems: problems,
    trusted: true,
    env,
    log,
    searches: false,
    ...(editorModels === undefined ? {} : { editorModels }),
  });
  try {
    await work(session);
  } finally {
    await session.close();
  }
}
