// A stated claim that the linter finds less is answered by what the linter found, whatever the points say.

import { expect, test } from 'vitest';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';
import { gate } from '../../../server/src/core/verify/gates/claim/gate.ts';

const never = new AbortController().signal;

const answerTo = (lint: object, recipe = 'agent') =>
  gate(
    {
      context: { trusted: true, claimsOf: () => ['findings'], isBuiltInRecipe: () => false },
      proposal: { recipe, claimed: 'findings' },
      edits: [{ path: 'src/a.ts', before: 'a', after: 'b' }],
      verdicts: [
        { gate: 'score', outcome: 'passed', reason: '1 → 2 points.', evidence: { gain: 1 } },
        { gate: 'lint', reason: 'No linter was found.', ...lint },
      ],
    } as unknown as GateInput,
    never,
  );

test.each([
  ['passed', 'passed', { problemsBefore: 3, problems: 0 }],
  ['failed', 'passed', { problemsBefore: 3, problems: 3 }],
  ['failed', 'passed', {}],
  ['failed', 'failed', { problemsBefore: 3, problems: 2 }],
  ['unknown', 'unknown', {}],
])('%s, if lint has %s with %o', async (expected, outcome, evidence) => {
  const answer = await answerTo({ outcome, evidence });
  expect(answer).toMatchObject({ outcome: expected, evidence: { kind: 'findings' } });
  if (expected === 'failed') expect(answer.reason).toBe('The linter finds no less.');
});
