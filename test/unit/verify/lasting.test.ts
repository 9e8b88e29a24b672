// A gain in speed or memory is measured three more times after applying: it has to be there still.

import { expect, test } from 'vitest';
import { verifyProposal } from '../../../server/src/core/verify/verify.ts';
import { createInProcessRunner } from '../../helpers/inProcessRunner.ts';
import { never } from '../../adapters/sandbox/sandboxOf.ts';
import { contextOf, edit, proposalOf } from './verifying.ts';

const BEFORE = 'export const work = () => 1;\n';
const AFTER = 'export const work = () => 2;\n';
const files = { 'package.json': '{ "type": "module" }', 'work.js': BEFORE, 'run.js': "import './work.js';\n" };

/** `share`: the time of the candidate's run, by how often it ran, as a share of the base's. */
async function judged(share: (run: number) => number, kind: 'speed' | 'memory' = 'speed') {
  let runs = 0;
  const sandbox = createInProcessRunner(files, {
    runOther: (line, texts) => {
      if (!line.includes('run.js')) return null;
      const value = 1000 + (runs++ % 7);
      const mine = texts.get('work.js') === AFTER ? value * share(runs) : value;
      return { millis: mine, peakBytes: mine };
    },
  });
  const context = contextOf(
    { sandbox },
    {
      only: ['applies', 'claim'],
      isProbation: true,
      claimsOf: () => [kind],
      settings: { benchCommand: 'node run.js', timeoutSeconds: 3600 },
    },
  );
  const { verdicts } = await verifyProposal(context, proposalOf([edit('work.js', BEFORE, AFTER)]), never);
  return { ...verdicts.at(-1)!, runs };
}

test.each(['speed', 'memory'] as const)('a lasting gain in %s passes after three series', async (kind) => {
  const { outcome, reason, runs } = await judged(() => 0.9, kind);
  expect([outcome, reason]).toEqual(['passed', expect.stringContaining('3 more series')]);
  expect(runs).toBe(3 * 9 * 3);
});

test('a gain that is gone fails, and what is slower now fails at once', async () => {
  expect(await judged(() => 1)).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('is gone') });
  const slower = await judged(() => 1.3);
  expect(slower).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('slower') });
  expect(slower.runs).toBe(9 * 3);
});

test('one series without it is noise', async () => {
  expect(await judged((run) => (run <= 27 ? 1 : 0.9))).toMatchObject({ outcome: 'passed' });
});
