// A proposal at a terminal: what it does and why, the diff, what was proven, and the checks in one block.

import { expect, test } from 'vitest';
import { createColors } from '../../server/src/adapters/system/terminal.ts';
import { formatProposal } from '../../server/src/cli/writers/proposal.ts';
import type { Proposal, Verdict } from '../../server/src/core/model.ts';
import type { GateName } from '../../server/src/core/model/gates.ts';
import { createPart } from '../helpers/createPart.ts';

const verdict = (
  gate: GateName,
  outcome: Verdict['outcome'],
  reason = 'Fine.',
  evidence: Verdict['evidence'] = {},
) => ({
  ...{ gate, outcome, reason, evidence },
  millis: 500,
});
const evidence = '1 new test passes 5 times, and notices a mistake that no other test notices: a.js:2 - → +.';
const proposal: Proposal = createPart<Proposal>({
  id: 'p-1',
  title: 'Add a test for sum',
  rationale: 'This test notices a mistake.',
  status: 'verified',
  strength: 'proven',
  recipe: 'characterization-test',
  safety: 'critical',
  claim: { kind: 'tests', holds: true, evidence, price: null },
  edits: [{ path: 'test/sum.test.js', before: 'one\n', after: 'one\ntwo\n' }],
  pointsBefore: null,
  pointsAfter: null,
  reason: null,
  verdicts: [
    verdict('applies', 'passed'),
    verdict('integrity', 'unknown', 'It edits a test.', { testsOnlyAdded: 1 }),
    verdict('score', 'unknown', 'The score stays.', { judgedBy: 'claim' }),
    verdict('types', 'unknown', 'No type check was found.'),
    verdict('tests', 'passed', '12 tests passed.'),
    verdict('claim', 'passed', evidence),
    verdict('differential', 'unknown', 'Only tests have changed.'),
    verdict('guard', 'unknown', 'No mutant can be made of the touched lines.'),
  ],
});
const linesOf = (change: Partial<Proposal>) =>
  formatProposal({ ...proposal, ...change }, createColors(false)).split('\n');

test('the title and the reason stand first, the proof below the diff, and then the checks by their outcome', () => {
  const lines = linesOf({});
  expect(lines.slice(0, 3)).toEqual([
    'Add a test for sum',
    'This test notices a mistake.',
    'p-1 · proven · only adds tests · recipe characterization-test',
  ]);
  expect(lines.slice(lines.indexOf('+two') + 2)).toEqual([
    `proven: ${evidence}`,
    '',
    'Checks (4.0 s)',
    '  passed      Fits the files, What gets better',
    '              Tests: 12 tests passed.',
    '  unknown     Types: No type check was found.',
    '  not needed  Tests and settings untouched (the change only adds test cases)',
    '              Points (another check decides what gets better)',
    '              Same behaviour, Tests notice mistakes (only tests change)',
  ]);
});

test('what failed stands before all other checks, with its output', () => {
  const failed = verdict('tests', 'failed', '1 test fails.', { messages: 'sum: 1 is not 2' });
  const lines = linesOf({
    status: 'refused',
    strength: 'unchecked',
    claim: null,
    reason: 'tests: 1 test fails.',
    verdicts: [verdict('applies', 'passed'), failed],
  });
  expect(lines.slice(-7)).toEqual([
    'reason: Tests: 1 test fails.',
    '',
    'Checks (1.0 s)',
    '  failed      Tests: 1 test fails.',
    '              What the tests say:',
    '                  sum: 1 is not 2',
    '  passed      Fits the files',
  ]);
  expect(lines.join('\n')).not.toContain('unchecked: ');
});
