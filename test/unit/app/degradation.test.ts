// A run that works without its proposer, or without isolation, says so once, and says once that it is over.

import { expect, test } from 'vitest';
import type { NightContext } from '../../../server/src/app/nights/night.ts';
import { createDegradationReport } from '../../../server/src/app/nights/open/degradation.ts';
import { degradedSentence } from '../../../server/src/core/run/live.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createPart } from '../../helpers/createPart.ts';

type Means = Parameters<typeof createDegradationReport>[2];

function reportOf(proposer: string | null) {
  const told: unknown[] = [];
  const events: Parameters<typeof degradedSentence>[0][] = [];
  const means = { isConfined: true, outage: null as string | null, isRateUsed: false };
  const session = createPart<Means>({
    changes: {
      applyPause: async () =>
        means.isRateUsed ? { error: new SelfwareError('paused', 'The rate is used up.'), until: null } : null,
    },
    questions: {
      askPause: async () => (means.outage === null ? null : { reason: means.outage, until: null }),
    },
    verification: { isConfined: async () => means.isConfined },
  });
  const context = createPart<NightContext>({
    request: {
      onEvent(event: Parameters<typeof degradedSentence>[0]) {
        told.push(event.reasons);
        events.push(event);
      },
    },
  });
  return { told, events, means, report: createDegradationReport(context, { proposer }, session) };
}

test('a proposer that is not asked is a reason, with the reason why', async () => {
  const { told, means, report } = reportOf('ollama:x');
  await report('ollama:x');
  means.outage = 'Nobody answers.';
  await report('ollama:x');
  await report('ollama:x');
  means.isRateUsed = true;
  await report('ollama:x');
  await report(null);
  Object.assign(means, { outage: null, isRateUsed: false });
  await report('ollama:x');
  expect(told).toEqual([
    ['ollama:x is not asked now. Nobody answers.'],
    ['ollama:x is not asked now. The rate is used up.'],
    ['ollama:x is not asked, because it is not trusted.'],
    [],
  ]);
});

test('a later time of the same cause is repeated, which is not said again', async () => {
  const { told, events, means, report } = reportOf('ollama:x');
  for (const outage of ['Nobody answers until 03:15.', 'Nobody answers until 04:00.', 'The budget is used up.', null]) {
    means.outage = outage;
    await report('ollama:x');
  }
  expect(told).toHaveLength(4);
  expect(events.map(degradedSentence)).toEqual([
    'degraded: ollama:x is not asked now. Nobody answers until 03:15.',
    null,
    'degraded: ollama:x is not asked now. The budget is used up.',
    'no longer degraded',
  ]);
});

test('a machine without isolation is a reason also without a proposer', async () => {
  const { told, means, report } = reportOf(null);
  await report(null);
  expect(told).toEqual([]);
  means.isConfined = false;
  await report(null);
  expect(told).toEqual([[expect.stringMatching(/^Commands cannot be isolated .* waits for you/)]]);
});
