// An event that is read back counts only if it is of a known kind and whole.

import { expect, test } from 'vitest';
import { EVENT_TYPES, readRecordedEvent } from '../../../server/src/core/ledger/events.ts';

const read = (type: string, data: unknown) => readRecordedEvent({ sequence: 1, at: 2, type, data });

/** What the folds rely on, by kind. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  indexed: [],
  stateMeasured: ['ledgerMs'],
  opportunityDismissed: ['opportunity'],
  opportunityRestored: ['opportunity'],
  attempt: ['opportunity', 'outcome'],
  passedOver: ['places'],
  asked: ['ask', 'run', 'task', 'proposer', 'promptTokens', 'budget'],
  answered: ['ask', 'task', 'outcome'],
  consented: ['destination'],
  consentWithdrawn: ['destination'],
  taskDropped: ['task'],
  researched: ['research', 'task', 'tool', 'query'],
  researchEnded: ['research', 'task', 'outcome'],
  proposed: ['proposal'],
  verifying: ['proposal'],
  interrupted: ['proposal'],
  verified: ['proposal', 'verdicts'],
  refused: ['proposal', 'verdicts'],
  approved: ['proposal'],
  rejected: ['proposal'],
  deferred: ['proposal'],
  applied: ['proposal', 'checkpoint'],
  kept: ['proposal'],
  conflicted: ['proposal', 'checkpoint', 'reason'],
  committed: ['proposal', 'commit', 'branch'],
  rolledBack: ['checkpoint'],
  reworked: ['proposal', 'commit', 'subject', 'undone', 'diff'],
  checkedAgain: ['proposal', 'rest', 'verdicts'],
  forgotten: ['checkpoints'],
  points: ['points'],
  stopped: [],
  resumed: [],
  notice: ['message'],
  remembered: ['text', 'importance', 'tier'],
  lessonForgotten: ['lesson', 'proposals', 'opportunities'],
  feedbackRecorded: ['session', 'kind', 'dimension'],
  bottleneckAsked: ['metric', 'strategy', 'before', 'expected', 'proposal'],
  feedbackLooked: ['digest', 'findings'],
  ruleWritten: ['file', 'rule', 'text', 'by', 'version', 'events'],
  ruleSwitched: ['rule', 'state'],
  inboxFiled: ['item'],
  inboxDecided: ['item', 'verdict'],
  ruleTried: ['rule', 'proposer', 'outcome', 'reason'],
  broughtRules: ['path', 'hash'],
  packed: ['taskType', 'layers', 'recalled'],
  nightStarted: ['night', 'run', 'base', 'plan'],
  nightResumed: ['night', 'run'],
  nightCommitted: ['night', 'run', 'commit', 'change'],
  nightMissed: ['night', 'run', 'miss'],
  nightTurn: ['night', 'run', 'stages'],
  nightWish: ['night', 'run', 'wish', 'text', 'outcome'],
  nightWaiting: ['night', 'run', 'until', 'reason'],
  nightSearched: ['night', 'run', 'search', 'files', 'undone', 'found'],
  nightCanary: ['night', 'run', 'proposer', 'test', 'path', 'solved'],
  nightVariant: ['night', 'run', 'proposal', 'title', 'kind', 'path', 'outcome'],
  nightPaused: ['night', 'run', 'kind', 'reason'],
  nightAnswered: ['night', 'run'],
  nightAskedToEnd: ['night', 'run'],
  nightMoved: ['night', 'base', 'commits', 'left'],
  nightEnded: ['night', 'run', 'reason', 'passedOver'],
  nightUpgrade: ['night', 'run', 'step', 'version', 'hash', 'reason'],
  nightTold: ['night', 'run', 'event', 'by', 'failure'],
  nightDecided: ['night', 'verdict', 'changes'],
  nightMerged: ['night', 'proposal', 'commit'],
  recipeAccepted: ['recipe'],
  recipeForgotten: ['id'],
  trainingChecked: ['due'],
  trainingStarted: ['training', 'dataset', 'base', 'current'],
  trainingEnded: ['training', 'outcome', 'reason', 'current', 'candidate', 'comparison'],
  modelDeployed: ['training', 'model', 'previous'],
  modelRolledBack: ['model', 'to'],
  wishAdded: ['wish', 'text'],
  wishTested: ['wish', 'tests'],
  wishDropped: ['wish'],
  wishFirst: ['wish'],
  wishMoved: ['wish', 'before'],
};

test('every kind of event stands in the table of this test', () => {
  expect([...EVENT_TYPES].sort()).toEqual(Object.keys(NEEDED).sort());
});

test.each(Object.entries(NEEDED))('%s is understood with %j, and malformed without any of them', (type, keys) => {
  const whole = Object.fromEntries(keys.map((key) => [key, null]));
  expect(read(type, { ...whole, more: 1 })).toEqual({ sequence: 1, at: 2, type, data: { ...whole, more: 1 } });
  for (const key of keys) {
    const { [key]: _left, ...rest } = whole;
    expect(read(type, rest), key).toBe('malformed');
  }
  for (const data of [null, undefined, 'text', 3]) expect(read(type, data)).toBe('malformed');
});

test.each(['toString', 'constructor', '__proto__', 'Indexed', '', 'futureKind'])('%j is no known kind', (type) => {
  expect(read(type, { proposal: 'p-1' })).toBeNull();
});
