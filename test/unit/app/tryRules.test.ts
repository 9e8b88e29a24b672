// Which rule an unattended run tries in idle time: no trial that has cost tokens is repeated without need.

import { expect, test } from 'vitest';
import { tryFirst } from '../../../server/src/app/nights/tryRules.ts';
import type { WrittenRule } from '../../../server/src/core/learn/ruleBook.ts';
import type { RuleTrial, TrialOutcome } from '../../../server/src/core/model/feedback.ts';

const trialOf = (rule: string, outcome: TrialOutcome, tasks: number): RuleTrial => ({
  ...{ rule, proposer: 'mailbox', outcome, reason: 'As told.', tasks, tokens: 900 },
  ...{ gain: -0.1, low: null, high: null, without: 5, with: 4 },
});
const ruleOf = (id: string, trial: RuleTrial | null): WrittenRule => ({
  ...{ id, file: 'CODE', text: id, by: 'person', state: 'on', decided: true, dates: [1], events: [], place: null },
  ...{ template: null, words: [id], onSince: 1, broken: [], trial },
});

/** The ids of the rules that are tried, and what was heard of the first question. */
async function tried(rules: readonly WrittenRule[]) {
  const ids: string[] = [];
  await tryFirst(
    {
      rules: async () => rules,
      async tryRule({ rule, report }) {
        report?.({ stage: 'realising', done: 0, total: 1, message: '' });
        ids.push(rule);
        return trialOf(rule, 'unknown', 12);
      },
    },
    { proposer: 'mailbox', tokens: 1_000, signal: new AbortController().signal, onAsk: () => ids.push('asked') },
  );
  return ids;
}

test('a whole trial without a clear result is not repeated, and neither is one that could not be judged', async () => {
  expect(await tried([ruleOf('noise', trialOf('noise', 'unknown', 15))])).toEqual([]);
  expect(await tried([ruleOf('unjudged', trialOf('unjudged', 'unknown', 0))])).toEqual([]);
  expect(await tried([ruleOf('fine', trialOf('fine', 'notWorse', 15))])).toEqual([]);
});

test('rules without a trial come before one whose trial was cut off', async () => {
  const cut = ruleOf('cut', trialOf('cut', 'unknown', 3));
  expect(await tried([cut, ruleOf('new', null)])).toEqual(['asked', 'new']);
  expect(await tried([cut])).toEqual(['asked', 'cut']);
  // The same limit would cut it off every night.
  expect(await tried([{ ...cut, isTriedAgain: true }])).toEqual([]);
});
