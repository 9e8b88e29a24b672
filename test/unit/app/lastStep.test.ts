// What a run says of its last step when its time is up.

import { expect, test } from 'vitest';
import { rememberSteps } from '../../../server/src/app/nights/open/lastStep.ts';
import type { NightProgress, NightRequest } from '../../../server/src/app/nights/night.ts';
import { createPart } from '../../helpers/createPart.ts';

test('the proposal that is tried is named with its last step, until it is done', () => {
  const events: NightProgress[] = [];
  const { request, step } = rememberSteps(
    createPart<NightRequest>({
      onEvent: (event: NightProgress) => events.push(event),
    }),
  );
  expect(step()).toBeNull();
  request.onEvent({ type: 'trying', title: 'Remove sum' });
  expect(step()).toBe('It was at “Remove sum”.');
  request.report?.({ stage: 'verifying', done: 0, total: null, message: 'Tests: 315 s without the change' });
  request.onEvent({ type: 'note', text: 'The machine is busy.' });
  expect(step()).toBe('It was at “Remove sum” (Tests: 315 s without the change).');
  request.onEvent({ type: 'trying', title: 'Remove other' });
  expect(step()).toBe('It was at “Remove other”.');
  request.onEvent({ type: 'waiting', until: 1, reason: 'Nothing is left to try.' });
  expect(step()).toBeNull();
  expect(events).toHaveLength(4);
});

test('between two attempts, the step is named by its progress', () => {
  const { request, step } = rememberSteps(createPart<NightRequest>({ onEvent: () => undefined }));
  request.report?.({ stage: 'verifying', done: 0, total: null, message: 'Running the tests' });
  expect(step()).toBe('It was at “Running the tests”.');
  request.onEvent({ type: 'trying', title: 'Remove sum' });
  expect(step()).toBe('It was at “Remove sum”.');
});
