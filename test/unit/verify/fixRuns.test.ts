// How often a judgement starts the tests to show a fix: the run of all tests with the change counts as one of them.

import { expect, test } from 'vitest';
import { showFix } from '../../../server/src/core/verify/claims/fix.ts';
import type { Gate } from '../../../server/src/core/verify/gate.ts';
import { chooseTests } from '../../../server/src/core/verify/testing/chosenTests.ts';
import type { MemoryCommand } from '../../helpers/memorySandbox.ts';
import { answerOf, spoken } from './inMemory.ts';
import { edit } from './verifying.ts';

const [WRONG, RIGHT] = ['export const one = 2;\n', 'export const one = 1;\n'];
const SPEC = "import { expect, test } from 'vitest';\nimport { one } from './one.js';\n";
const FIXED = `${SPEC}test('one', () => expect(one).toBe(1));\n`;

/** A report as Vitest writes it, for every line that calls it. */
function vitest(line: string, starts: string[]): MemoryCommand {
  return (texts) => {
    const isFixed = texts.get('one.js') === RIGHT;
    const isBrought = texts.get('one.test.js') === FIXED;
    starts.push(`${line.endsWith(' one.test.js') ? 'its tests' : 'all tests'} ${isFixed ? 'with' : 'without'}`);
    const result = isFixed
      ? { status: 'passed' }
      : { status: 'failed', failureMessages: ['AssertionError: expected 2 to be 1'] };
    const assertionResults = isBrought ? [{ ancestorTitles: [], title: 'one', fullName: 'one', ...result }] : [];
    const failed = isBrought && !isFixed ? 1 : 0;
    const report = {
      ...{ numPassedTests: isBrought ? 1 - failed : 0, numFailedTests: failed, numPendingTests: 0, numTodoTests: 0 },
      testResults: [{ name: 'one.test.js', status: failed > 0 ? 'failed' : 'passed', assertionResults }],
    };
    const path = /--outputFile\.json=\/sandboxes\/\d+\/([\w./-]+)/.exec(line)![1]!;
    (texts as Map<string, string>).set(path, JSON.stringify(report));
    return { exitCode: failed };
  };
}

async function shown(headFirst: boolean) {
  const starts: string[] = [];
  const gate: Gate = async (run, signal) => {
    const { commands } = (await chooseTests(run, signal))!;
    await run.candidate(commands.whole, commands.read, signal);
    return showFix(run, 'fix', signal, 2);
  };
  const answer = await answerOf(gate, {
    files: { 'one.js': WRONG, 'one.test.js': SPEC },
    edits: [edit('one.js', WRONG, RIGHT), edit('one.test.js', SPEC, FIXED)],
    headFirst,
    overrides: { settings: { testCommand: 'vitest run' }, treeKey: (edits) => String(edits.length) },
    commands: new Proxy<Record<string, MemoryCommand>>(
      {},
      { get: (_, line) => (String(line).startsWith('vitest run ') ? vitest(String(line), starts) : undefined) },
    ),
  });
  return { answer: spoken(answer), starts };
}

test('a judgement saves a start of the runner, and shows the same', async () => {
  const [judged, proposed] = [await shown(true), await shown(false)];
  expect(judged).toEqual({
    answer:
      'passed: Without the change “one” fails (AssertionError: expected 2 to be 1); with it, it passes, 2 times each.',
    starts: ['all tests without', 'all tests with', 'its tests without', 'its tests with', 'its tests without'],
  });
  expect(proposed.answer).toBe(judged.answer);
  expect(proposed.starts.filter((start) => start === 'its tests with')).toHaveLength(2);
});
