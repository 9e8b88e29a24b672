// What the gates of types and lint answer, row by row: problems without the change and with it → the verdict.

import { expect, test } from 'vitest';
import { failed, passed, unknown, type GateAnswer } from '../../../server/src/core/verify/answer.ts';
import type { CommandAnswer, CommandResult } from '../../../server/src/core/verify/commands.ts';
import { compareProblems, combineAnswers } from '../../../server/src/core/verify/compareProblems.ts';
import { findAddedProblems, type Problem } from '../../../server/src/core/verify/parse/problem.ts';

type Side = CommandResult<Problem[] | null>;

/** A letter a problem; null = nothing that can be read. */
function side(codes: string | null, exitCode: number | null, rest: Partial<CommandAnswer> = {}): Side {
  const answer: CommandAnswer = {
    outcome: 'exited',
    exitCode,
    exceeded: null,
    stdout: '',
    output: '',
    report: null,
    millis: 0,
    line: 'check',
    isolation: 'none',
    ...rest,
  };
  const value = codes === null ? null : [...codes].map((code) => ({ path: 'a.ts', code, message: 'is wrong' }));
  return { answer, value, touched: [] };
}

async function compared(without: Side | null, withIt: Side, always = false): Promise<GateAnswer & { asked: number }> {
  let asked = 0;
  const answer = await compareProblems({
    noun: 'problem',
    candidate: withIt,
    mustRunBase: always,
    base: async () => {
      asked += 1;
      return without;
    },
    findNewProblems: (before, after) => findAddedProblems(before, after, ({ code }) => code),
  });
  return { ...answer, asked };
}

const stopped: Partial<CommandAnswer> = { outcome: 'timedOut', millis: 60_400 };
const large: Partial<CommandAnswer> = { exceeded: 'more than 4 GB of memory' };

test.each<[string, Side | null, Side, string]>([
  ['nothing is found', side('', 0), side('', 0), 'passed: No problem.'],
  ['one is new', side('', 0), side('x', 1), 'failed: 1 new problem: a.ts x is wrong'],
  ['one is new, and the tool is content', side('', 0), side('x', 0), 'failed: 1 new problem: a.ts x is wrong'],
  [
    'three are new, and all are named',
    side('', 0),
    side('xyz', 1),
    'failed: 3 new problems: a.ts x is wrong; a.ts y is wrong; a.ts z is wrong',
  ],
  [
    'four are new, and three are named',
    side('', 0),
    side('wxyz', 1),
    'failed: 4 new problems: a.ts w is wrong; a.ts x is wrong; a.ts y is wrong; …',
  ],
  ['another one', side('x', 1), side('y', 1), 'failed: 1 new problem: a.ts y is wrong'],
  ['one of a kind more', side('x', 1), side('xx', 1), 'failed: 1 new problem: a.ts x is wrong'],
  ['the same', side('x', 1), side('x', 1), 'passed: No new problem; 1 problem with and without the change.'],
  ['one less', side('xy', 1), side('x', 1), 'passed: 1 problem less, and no new one; 1 left.'],
  ['two less', side('xyz', 1), side('x', 1), 'passed: 2 problems less, and no new one; 1 left.'],
  ['nothing to look at without it', null, side('x', 1), 'failed: 1 new problem: a.ts x is wrong'],
  [
    'the tool fails with it and names nothing',
    side('', 0),
    side('', 2),
    'failed: `check` ends with 2 with the change, and with 0 without it.',
  ],
  [
    'it fails with it, and found something without it',
    side('x', 1),
    side('', 2),
    'failed: `check` ends with 2 with the change.',
  ],
  [
    'it fails with it, and there is nothing without it',
    null,
    side('', 2),
    'failed: `check` ends with 2 with the change.',
  ],
  [
    'it says nothing that can be read of a new file',
    null,
    side(null, 2),
    'unknown: `check` ends with 2 and names no problem; without the change there is nothing to compare with.',
  ],
  [
    'it fails on both sides and names nothing',
    side('', 3),
    side('', 2),
    'unknown: `check` ends with 2, with and without the change, and names no problem.',
  ],
  [
    'it says why it names nothing, after other words',
    side(null, 2, {
      output: '\nOops! Something went wrong! :(\n\nESLint: 9.1.0\n\nESLint found no configuration.\nMore.\n',
    }),
    side(null, 2),
    'unknown: `check` ends with 2, with and without the change, and names no problem. It says: ESLint found no configuration.',
  ],
  [
    'it does not work without it',
    side('', 3),
    side('x', 1),
    'unknown: `check` does not work in the unchanged repository (it ends with 3).',
  ],
  ['it is stopped with it', side('', 0), side(null, null, stopped), 'unknown: `check` was ended after 60 s.'],
  ['it takes too much', side('', 0), side(null, null, large), 'unknown: `check` was ended: more than 4 GB of memory.'],
  [
    'it is not installed',
    side('', 0),
    side(null, null, { outcome: 'notFound' }),
    'unknown: `check` could not be started: it is not installed.',
  ],
  [
    'it is stopped without it',
    side(null, null, stopped),
    side('x', 1),
    'unknown: The unchanged repository could not be compared: `check` was ended after 60 s.',
  ],
])('%s', async (_what, without, withIt, expected) => {
  const { outcome, reason } = await compared(without, withIt);
  expect(`${outcome}: ${reason}`).toBe(expected);
});

test('the unchanged repository is looked at where the candidate is not clean, or where it counts', async () => {
  expect(await compared(side('xy', 1), side('', 0))).toMatchObject({ asked: 0, evidence: { problems: 0 } });
  expect(await compared(side('xy', 1), side('', 0), true)).toMatchObject({
    asked: 1,
    outcome: 'passed',
    reason: 'No problem any more; 2 problems without the change.',
    evidence: { problems: 0, problemsBefore: 2 },
  });
  expect(await compared(side('', 0), side('', 0), true)).toMatchObject({ asked: 1, reason: 'No problem.' });
  expect(await compared(side('', 0), side('', 1))).toMatchObject({ asked: 1 });
  expect(await compared(side('', 0), side('x', 0))).toMatchObject({ asked: 1, evidence: { problems: 1, new: 1 } });
});

test('of several runs the worst counts, and says what else was run', () => {
  const said = (answer: GateAnswer, command: string) => ({ ...answer, evidence: { command } });
  const [good, open, bad] = [said(passed('Good.'), 'a'), said(unknown('Open.'), 'b'), said(failed('Bad.'), 'c')];
  expect(combineAnswers([good])).toEqual(good);
  expect(combineAnswers([good, open, bad])).toEqual(bad);
  expect(combineAnswers([bad, good])).toEqual(bad);
  expect(combineAnswers([good, open])).toEqual({ ...open, evidence: { command: 'b', commands: 'a\nb' } });
  expect(combineAnswers([good, said(passed('Good, too.'), 'd')])).toEqual({
    ...good,
    evidence: { command: 'a', commands: 'a\nd' },
  });
});
