// A claimed gain in memory on a machine whose runs differ too much is unknown and tried again, instead of refused.

import { expect, test } from 'vitest';
import { verifyProposal } from '../../../server/src/core/verify/verify.ts';
import { never } from '../../adapters/sandbox/sandboxOf.ts';
import { createInProcessRunner } from '../../helpers/inProcessRunner.ts';
import { contextOf, edit, proposalOf } from './verifying.ts';

const BEFORE = 'export const work = () => 1;\n';
const AFTER = 'export const work = () => 2;\n';
const files = { 'package.json': '{ "type": "module" }', 'work.js': BEFORE, 'run.js': "import './work.js';\n" };

/** `spread`: how far runs of the same code differ. `share`: what the change needs of the memory of the base. */
async function judged(spread: number, share = 0.93) {
  let runs = 0;
  const sandbox = createInProcessRunner(files, {
    runOther: (line, texts) => {
      if (!line.includes('run.js')) return null;
      const value = 1_000_000 * (1 + (spread * (runs++ % 7)) / 6);
      return { millis: 1, peakBytes: texts.get('work.js') === AFTER ? value * share : value };
    },
  });
  const context = contextOf(
    { sandbox },
    {
      only: ['applies', 'claim'],
      claimsOf: () => ['memory'],
      settings: { benchCommand: 'node run.js', timeoutSeconds: 3600 },
    },
  );
  const { verdicts } = await verifyProposal(context, proposalOf([edit('work.js', BEFORE, AFTER)]), never);
  return verdicts.at(-1)!;
}

test('a gain is found where runs hardly differ', async () => {
  expect(await judged(0.002)).toMatchObject({ outcome: 'passed' });
});

test('where runs of the same code differ by far more than the gain, the claim is unknown and waits', async () => {
  const { outcome, reason, evidence } = await judged(0.9);
  expect(outcome).toBe('unknown');
  expect(reason).toContain('Nothing can be concluded');
  expect(evidence['busy']).toContain('differ by');
});

test('where they hardly differ and the gain is too small, it fails', async () => {
  expect(await judged(0.02, 0.98)).toMatchObject({ outcome: 'failed' });
});
