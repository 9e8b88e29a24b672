// Creates the façade's `learned` section: lessons from outcomes, feedback, and the rules that people and the repository
// give to models.

import { collectStrategies } from '../../learn/strategies.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import type { LearnedSection } from './learnTypes.ts';
import { forgetKnownLesson, listLessons, traceLesson } from './learning.ts';
import { fileCorrectionRule } from './inbox/filing.ts';
import { withdrawForgotten } from './inbox/withdrawing.ts';
import { analyseAllFeedback, checkFeedback, recordFeedback } from './feedback.ts';
import { listOrders } from './proposerTrials.ts';
import { readTrials } from './trials.ts';
import { acceptRepositoryRules, findRepositoryRuleFiles, refuseRepositoryRules } from './repositoryRuleFiles.ts';
import { tryRule } from './tryingRule.ts';
import { withTrialLock } from './trialLock.ts';
import { readAllRules, readRules, addShippedRules, switchRule, writeRule } from './writtenRules.ts';

/** Creates the section of one session. */
export function createLearnSection(context: SessionContext): LearnedSection {
  return {
    lessons: () => listLessons(context),
    trace: (id) => traceLesson(context, id),
    async forget(id) {
      const lesson = await forgetKnownLesson(context, id);
      const sequences = lesson.evidence.flatMap(({ sequence }) => (sequence === null ? [] : [sequence]));
      await withdrawForgotten(context, new Set(sequences), 'The correction behind it was forgotten.');
      return lesson;
    },
    strategies: async () => collectStrategies(await fallBackIfDamaged(context, [], () => readTrials(context))),
    orders: () => listOrders(context),
    async record(feedback) {
      await recordFeedback(context, feedback);
      if (feedback.kind === 'user_correction' && feedback.note !== null)
        context.afterwork.start((signal) => fileCorrectionRule(context, signal));
    },
    analyseFeedback: (signal) => analyseAllFeedback(context, signal),
    lookAtFeedback: (signal) => fallBackIfDamaged(context, null, () => checkFeedback(context, signal)),
    rules: () => readAllRules(context),
    readRules: (file) => readRules(context, file),
    writeRule: (rule) => writeRule(context, rule),
    switchRule: (rule, state) => switchRule(context, rule, state),
    seedRules: () => addShippedRules(context),
    repositoryRules: (isQuick) => findRepositoryRuleFiles(context, isQuick),
    acceptRepositoryRules: (path, hash) => acceptRepositoryRules(context, path, hash),
    refuseRepositoryRules: (path, shownHash) => refuseRepositoryRules(context, path, shownHash),
    tryRule: (request) =>
      context.operations.run(
        (signal) => withTrialLock(context, 'rule', () => tryRule(context, { ...request, signal })),
        request.signal,
      ),
  };
}
