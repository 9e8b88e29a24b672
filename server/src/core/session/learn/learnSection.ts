// Creates the façade's `learned` section: the lessons from outcomes, and the ways to forget them.

import { collectStrategies } from '../../learn/strategies.ts';
import { unlessDamaged, type SessionContext } from '../context.ts';
import type { LearnedSection } from './learned.ts';
import { forget, lessons, trace } from './learning.ts';
import { feedbackAnalysis, checkFeedback, recordFeedback } from './feedback.ts';
import { readTrials } from './trials.ts';
import { acceptBrought, findBroughtFiles, refuseBrought } from './broughtFiles.ts';
import { tryRule } from './tryingRule.ts';
import { withTrialLock } from './trialLock.ts';
import { readAllRules, readRules, seedRules, switchRule, writeRule } from './writtenRules.ts';

/** Creates the section of one session. */
export function createLearnSection(context: SessionContext): LearnedSection {
  return {
    lessons: () => lessons(context),
    trace: (id) => trace(context, id),
    forget: (id) => forget(context, id),
    strategies: async () => collectStrategies(await unlessDamaged(context, [], () => readTrials(context))),
    record: (feedback) => recordFeedback(context, feedback),
    analyseFeedback: (signal) => feedbackAnalysis(context, signal),
    lookAtFeedback: (signal) => unlessDamaged(context, null, () => checkFeedback(context, signal)),
    rules: () => readAllRules(context),
    readRules: (file) => readRules(context, file),
    writeRule: (rule) => writeRule(context, rule),
    switchRule: (rule, state) => switchRule(context, rule, state),
    seedRules: () => seedRules(context),
    brought: (isQuick) => findBroughtFiles(context, isQuick),
    acceptBrought: (path, hash) => acceptBrought(context, path, hash),
    refuseBrought: (path, shownHash) => refuseBrought(context, path, shownHash),
    tryRule: (request) =>
      context.operations.run(
        (signal) => withTrialLock(context, 'rule', () => tryRule(context, { ...request, signal })),
        request.signal,
      ),
  };
}
