// A run asks nobody whose changes could not be applied now, and waits until the rate of changes allows more.

import { expect, test } from 'vitest';
import type { BegunRun } from '../../../server/src/app/nights/beginRun.ts';
import type { NightContext } from '../../../server/src/app/nights/night.ts';
import { chooseReadyProposer, findRunPause } from '../../../server/src/app/nights/open/ratePause.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createPart } from '../../helpers/createPart.ts';

const plan = { until: 9_000, maxChanges: 3, proposer: 'mailbox:x', places: null };
const begun = { branch: 'one', run: 'run-1', since: 10, ...plan } satisfies BegunRun;

/** The times at which recipes and the proposer continue; absent: their rate is not used up. */
async function pausedUntil(times: { readonly recipe?: number | null; readonly proposer?: number | null }, run = begun) {
  const started = { type: 'nightStarted', at: 10, data: { night: 'one', run: 'run-1', base: 'a', plan } };
  const ledger = { query: async () => [started], proposals: async () => [] };
  const context = createPart<NightContext>({ repository: { ledger } });
  const applyPause = async (proposer: string | null) => {
    const until = proposer === null ? times.recipe : times.proposer;
    return until === undefined ? null : { error: new SelfwareError('paused', `Until ${until}.`), until };
  };
  const session = { changes: { applyPause }, questions: { askPause: async () => null } };
  return [await chooseReadyProposer(context, run, session), await findRunPause(context, run, session)];
}

test('a proposer whose rate is used up is not asked, and the run waits for the rate that ends first', async () => {
  expect(await pausedUntil({})).toEqual(['mailbox:x', null]);
  expect(await pausedUntil({ proposer: 50 })).toEqual([null, { reason: 'Until 50.', until: 50 }]);
  expect(await pausedUntil({ recipe: 40, proposer: 50 })).toEqual([null, { reason: 'Until 40.', until: 40 }]);
  expect(await pausedUntil({ recipe: 40 })).toEqual(['mailbox:x', { reason: 'Until 40.', until: 40 }]);
  expect(await pausedUntil({ recipe: null, proposer: 50 })).toEqual([null, { reason: 'Until 50.', until: 50 }]);
});
