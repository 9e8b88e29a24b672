// What a person is told about requests that wait, and what they can do about them; and about the changes of a night.

import { expect, test } from 'vitest';
import type { NightChangeState } from '#protocol/nights';
import type { RequestState, WaitingTask } from '#protocol/requests';
import {
  createChangeItems,
  decisionParamsOf,
  composeDropAllQuestion,
  listDropChoices,
  composePullRequestQuestion,
  composeSquashQuestion,
  listTakeChoices,
  composeTakeOutQuestion,
  composeTickHint,
} from '../../../client/src/nights/decideText.ts';
import {
  listCorrections,
  countWaitingForPerson,
  createEntryItem,
  listEntries,
  listWaitingEntries,
  explainRequestProblem,
  listRequestChoices,
  findSentencesToAnnounce,
} from '../../../client/src/requests/requestText.ts';

const queued: RequestState = {
  ...{ id: 'w', words: 'Round up.\nAlways.', test: 'accepted', tries: 0, lastReason: null },
  ...{ noTest: null, failed: null, isRunning: false },
};
const attempts = {
  task: 't',
  attempts: 3,
  tried: ['no such text'],
  learned: ['3 times: the answer held no edits that could be used.'],
  corrections: ['Tool: ask a larger model.', 'Rule: change it by hand.'],
};
const failed: RequestState = { ...queued, id: 'f', failed: attempts };
const untested: RequestState = { ...queued, id: 'u', test: 'open', noTest: 'It changes the source.' };
const running: RequestState = { ...failed, id: 'r', isRunning: true };
const task: WaitingTask = { ...attempts, attempts: 9, name: 'Tests for src/a.ts', retry: { tests: 'src/a.ts' } };
const lists = { requests: [queued, running, failed, untested], waitingTasks: [task] };
const night = { branch: 'selfware/night-1', changes: 3 };

test('what needs the person is counted, comes first, and has a new key once there is something new about it', () => {
  expect(countWaitingForPerson(lists)).toBe(3);
  expect(countWaitingForPerson({})).toBe(0);
  expect(countWaitingForPerson({ ...lists, furtherRequests: { count: 5, needing: 4 } })).toBe(7);
  const waiting = { ...night, state: 'needsPerson', line: '', step: null, untaken: 0, decided: null } as const;
  expect(countWaitingForPerson({ night: waiting })).toBe(1);
  const ids = listEntries(lists).map((entry) => ('task' in entry ? 'task' : entry.request.id));
  expect(ids).toEqual(['task', 'f', 'u', 'w', 'r']);
  expect(listWaitingEntries(lists).map(({ key, sentence }) => [key, sentence])).toEqual([
    ['t 9', 'Tests for src/a.ts waits for you: 9 attempts failed.'],
    ['f 3', '“Round up. …” waits for you: 3 attempts failed.'],
    ['u test', 'No acceptance test could be made for “Round up. …”. It waits for you.'],
  ]);
  const more = { ...failed, failed: { ...attempts, attempts: 6 } };
  expect(listWaitingEntries({ requests: [more] }).map(({ key }) => key)).toEqual(['f 6']);
});

test('an entry of the list says what was learned, or why there is no test', () => {
  const details = listEntries(lists).map((entry) => createEntryItem(entry).detail);
  expect(details[0]).toBe('9 attempts failed. 3 times: the answer held no edits that could be used.');
  expect(details[2]).toContain('It changes the source.');
  expect(details[4]).toContain('A model or agent is asked');
});

const improving = (params: object) => ({ command: 'improveWithModel', params });
const [aboutTask, aboutFailed, aboutUntested] = listWaitingEntries(lists).map(({ sentence }) => sentence);
test.each([
  ['nothing runs', [], [aboutTask, aboutFailed, aboutUntested]],
  [
    'a command about something else runs',
    [{ command: 'apply', params: { proposal: 'p' } }],
    [aboutTask, aboutFailed, aboutUntested],
  ],
  ['one request is asked for', [improving({ wish: 'f' })], [aboutTask, aboutUntested]],
  ['its test is asked for', [{ command: 'acceptanceTest', params: { wish: 'u' } }], [aboutTask, aboutFailed]],
  ['the same tests are asked for', [improving({ tests: 'file:///x/src/a.ts' })], [aboutFailed, aboutUntested]],
  ['other tests are asked for', [improving({ tests: 'file:///x/src/b.ts' })], [aboutTask, aboutFailed, aboutUntested]],
  ['any task is asked for', [improving({ proposer: 'm' })], [aboutFailed, aboutUntested]],
])('a notice tells what a running command does not tell itself: %s', (_, running, sentences) => {
  expect(findSentencesToAnnounce(listWaitingEntries(lists), new Set(), running)).toEqual(sentences);
  const keys = new Set(listWaitingEntries(lists).map(({ key }) => key));
  expect(findSentencesToAnnounce(listWaitingEntries(lists), keys, running)).toEqual([]);
  expect(findSentencesToAnnounce(listWaitingEntries(lists), null, running)).toHaveLength(3);
});

test('words that are too long are named, and never cut', () => {
  expect(explainRequestProblem('Round up.')).toBeNull();
  expect(explainRequestProblem('x'.repeat(4001))).toBe('At most 4000 characters, and this has 4001.');
});

test.each([
  ['it waits in the queue', queued, ['goOn', 'drop']],
  ['no test could be made', untested, ['writeTest', 'goOnWithout', 'otherTest', 'drop']],
  ['attempts have failed', failed, ['correct', 'retry', 'drop']],
  ['somebody is asked about it', running, []],
])('what can be done when %s', (_, request, actions) => {
  expect(listRequestChoices(request).map(({ value }) => value)).toEqual(actions);
});

test('each correction stands beside the advice that it is about', () => {
  const choices = listCorrections(attempts, { hasWords: true, hasTest: true });
  expect(choices.map(({ value }) => value)).toEqual(['rule', 'words', 'otherTest', 'otherProposer', 'retry', 'drop']);
  const detailOf = (value: string) => choices.find((choice) => choice.value === value)?.detail;
  expect(detailOf('rule')).toBe('Change it by hand.');
  expect(detailOf('otherProposer')).toBe('Ask a larger model.');
  expect(detailOf('words')).toBe('The new words replace the old ones.');
  const ofTask = listCorrections(attempts, { hasWords: false, hasTest: false });
  expect(ofTask.map(({ value }) => value)).toEqual(['rule', 'otherProposer', 'retry', 'drop']);
});

const change = (number: number, place: NightChangeState['place'] = 'onBranch'): NightChangeState => ({
  ...{ id: `p${number}`, number, title: `Change ${number}`, detail: 'proven', place, isTaken: false },
});

test('changes on the branch are ticked; held ones and those that only a person may take are not', () => {
  const open = [change(1), change(2, 'held'), change(3, 'asks')];
  expect(createChangeItems(open, true).map(({ picked }) => picked)).toEqual([true, false, false]);
  expect(createChangeItems(open, false).some(({ picked }) => picked)).toBe(false);
});

test('each decision says what it does before it does it', () => {
  expect(listTakeChoices(2).map(({ label }) => label)).toEqual([
    '$(diff) Review Each',
    '$(check-all) Apply These 2 Now',
  ]);
  expect(listTakeChoices(1)[1]!.detail).toContain('keeps a checkpoint');
  const one = composeTakeOutQuestion(night, [change(2)]);
  expect(one.message).toBe('Take 1 change out of selfware/night-1?');
  expect(one.detail).toContain('2. Change 2');
  expect(one.detail).toContain('The 2 other changes are checked again without it');
  expect(composeTakeOutQuestion(night, [change(1), change(2)]).detail).toContain('The other change is checked again');
  expect(composeTakeOutQuestion(night, [change(4, 'asks')]).detail).toContain('The branch stays as it is.');
  const parked = composeTakeOutQuestion(night, [change(1), change(4, 'parked')]);
  expect(parked.detail).toContain('The 2 other changes are checked again without it');
  const whole = composeDropAllQuestion({ ...night, decided: null });
  expect(whole.detail).toContain('The branch is deleted');
  expect(composeSquashQuestion(night).detail).toContain('can no longer be taken out');
  expect(composePullRequestQuestion(night).detail).toContain('pushed to your remote');
  for (const { detail } of [one, whole, composeSquashQuestion(night), composePullRequestQuestion(night)])
    expect(detail).toMatch(/Your files(?:, your branch and the index)? stay as they are\./);
});

test('the server is always told which changes are meant, and the list says that it does not show all', () => {
  const open = [change(1), change(2)];
  expect(decisionParamsOf(night, open)).toEqual({ night: 'selfware/night-1', changes: ['p1', 'p2'] });
  expect(composeTickHint({ line: 'Last night: 80 changes' }, 50)).toBe('Tick the changes. Last night: 80 changes');
  expect(composeTickHint({ line: null, furtherOpen: 30 }, 50)).toContain('the first 50; 30 more follow');
});

test('dropping everything is a choice of its own, which says what it deletes', () => {
  const labelsOf = (...choices: Parameters<typeof listDropChoices>) =>
    listDropChoices(...choices).map(({ isWhole }) => isWhole);
  const open = [change(1), change(2)];
  expect(labelsOf({ changes: 80, decided: null, open, furtherOpen: 30 })).toEqual([false, true]);
  expect(labelsOf({ changes: 3, decided: 'squashed', open })).toEqual([true]);
  expect(labelsOf({ changes: 1, decided: null, open: [change(1)] })).toEqual([true]);
  expect(labelsOf({ changes: 1, decided: null, open: [change(2, 'asks')] })).toEqual([false, true]);
  expect(labelsOf({ changes: 0, decided: null, open: [change(1, 'asks')] })).toEqual([false]);
  expect(labelsOf({ changes: 0, decided: null })).toEqual([]);
  const textOf = (place: NightChangeState['place']) =>
    composeDropAllQuestion({ ...night, decided: null, open: [change(1, place)] }).detail;
  expect(textOf('onBranch')).toMatch(/^The branch is deleted with its 3 changes\. They are not proposed again\./);
  expect(textOf('asks')).toContain('They, and what else of the night waits for you, are not proposed again.');
});
