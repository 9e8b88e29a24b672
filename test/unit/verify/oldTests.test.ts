// When the old tests run on the new code: not for tests that are gone with their code, and not if there is no time.

import { expect, test } from 'vitest';
import { passed } from '../../../server/src/core/verify/answer.ts';
import type { FoundChange } from '../../../server/src/core/verify/judge/foundChange.ts';
import { addOldTestResults } from '../../../server/src/core/verify/judge/oldTests.ts';
import { chooseTests } from '../../../server/src/core/verify/testing/chosenTests.ts';
import { describeOldTest } from '../../../server/src/core/verify/judge/judgementTexts.ts';
import { answerOf } from './inMemory.ts';
import { edit } from './verifying.ts';

const [OLD, NEW] = ["test('a', () => expect(a).toBe(1));\n", "test('a', () => expect(a).toBe(2));\n"];
const change: FoundChange = { kind: 'expected', path: 'a.test.js', line: 1, test: 'a', before: '1', after: '2' };

/** What the old test says of the new code, if all tests take ten seconds. */
async function oldTestOf(kind: FoundChange['kind'], secondsLeft?: number) {
  const answer = await answerOf(
    async (run, signal) => {
      const [asked] = await addOldTestResults(run, [{ ...change, kind }], signal);
      return passed([asked!.oldTest, asked!.oldTest === 'unknown' ? describeOldTest(asked!) : ''].join(' ').trim());
    },
    {
      files: { 'a.js': '1\n', 'a.test.js': OLD },
      edits: [edit('a.js', '1\n', '2\n'), edit('a.test.js', OLD, NEW)],
      ...(secondsLeft === undefined ? {} : { secondsLeft }),
      overrides: { settings: { testCommand: 'run-tests' } },
      commands: {
        'run-tests': (texts) => {
          const fails = texts.get('a.js') === '2\n' && texts.get('a.test.js') === OLD;
          return {
            stdout: `TAP version 13\n${fails ? 'not ok' : 'ok'} 1 - a\n1..1\n`,
            exitCode: fails ? 1 : 0,
            millis: 10_000,
          };
        },
      },
    },
  );
  return answer.reason;
}

test('old tests that take longer than the time that is left do not run, which is said', async () => {
  expect([await oldTestOf('expected'), await oldTestOf('expected', 20), await oldTestOf('expected', 5)]).toEqual([
    'fails',
    'fails',
    'unknown There was no time to run the old test on the new code; `--thorough` does.',
  ]);
});

test('a test that is gone with its code is not asked', async () => {
  expect(await oldTestOf('gone')).toBe('unknown');
});

/** What is said if the old file, with the tests a and b, runs on the new code, on which b fails. */
async function changesOf(found: readonly FoundChange[], path = 'a.test.js') {
  const [old, current] = ["test('a');\ntest('b');\n", "const wrapper = 1;\ntest('a');\ntest('b');\n"];
  const answer = await answerOf(
    async (run, signal) => {
      const asked = await addOldTestResults(run, found, signal);
      return passed(JSON.stringify(asked.map(({ kind, test, oldTest, said }) => [kind, test, oldTest, said])));
    },
    {
      files: { 'a.js': '1\n', [path]: old },
      edits: [edit('a.js', '1\n', '2\n'), edit(path, old, current)],
      overrides: { settings: { testCommand: 'run-tests' } },
      commands: {
        'run-tests': (texts) => {
          const fails = texts.get('a.js') === '2\n' && texts.get(path) === old;
          return {
            stdout: `TAP version 13\nok 1 - a\n${fails ? 'not ok' : 'ok'} 2 - b\n1..2\n`,
            exitCode: fails ? 1 : 0,
          };
        },
      },
    },
  );
  return JSON.parse(answer.reason) as unknown;
}

test('the old file is asked as a whole: what fails there is said, even if nothing was found in its text', async () => {
  const outside: FoundChange = { kind: 'rewritten', path: 'a.test.js', line: 1, test: '', before: 'a', after: 'b' };
  expect(await changesOf([])).toEqual([['rewritten', 'b', 'fails', null]]);
  expect(await changesOf([outside])).toEqual([['rewritten', '', 'fails', 'b']]);
  expect(await changesOf([{ ...outside, test: 'b' }])).toEqual([['rewritten', 'b', 'fails', null]]);
  // A test that is gone with its code has to fail.
  expect(await changesOf([{ ...outside, kind: 'gone', test: 'b' }])).toEqual([['gone', 'b', 'unknown', null]]);
});

test('the old form of a helper is asked by all tests', async () => {
  const change: FoundChange = {
    kind: 'rewritten',
    path: 'test/helpers/a.js',
    line: 1,
    test: '',
    before: 'a',
    after: 'b',
  };
  expect(await changesOf([change], 'test/helpers/a.js')).toEqual([['rewritten', '', 'fails', 'b']]);
});

test('a deleted test that still runs under its title is rewritten if a case with assertions may declare it', async () => {
  const deleted: FoundChange = { kind: 'deleted', path: 'a.test.js', line: 1, test: 'a', before: 'a', after: null };
  const row = { ...deleted, perhapsRowOf: { path: 'a.test.js', line: 2 } };
  const kindOf = async (found: FoundChange, before = ['a', 'b'], after = ['a', 'b']) => {
    const answer = await answerOf(
      async (run, signal) => {
        const chosen = (await chooseTests(run, signal))!;
        await run.candidate(chosen.commands.allTests, chosen.commands.parse, signal);
        return passed(
          JSON.stringify((await addOldTestResults(run, [found], signal)).map(({ kind, now }) => [kind, now])),
        );
      },
      {
        files: { 'a.test.js': OLD },
        edits: [edit('a.test.js', OLD, NEW)],
        overrides: { settings: { testCommand: 'run-tests' } },
        commands: {
          'run-tests': (texts) => {
            const names = texts.get('a.test.js') === OLD ? before : after;
            const lines = names.map((name, index) => `ok ${index + 1} - ${name}`);
            return { stdout: ['TAP version 13', ...lines, `1..${names.length}`, ''].join('\n'), exitCode: 0 };
          },
        },
      },
    );
    return (JSON.parse(answer.reason) as unknown[])[0];
  };
  expect(await kindOf(deleted)).toEqual(['deleted', null]);
  expect(await kindOf({ ...row, test: 'c' })).toEqual(['deleted', null]);
  expect(await kindOf(row)).toEqual(['rewritten', { path: 'a.test.js', line: 2 }]);
  // The remaining one of two, and one that may be in another file.
  expect(await kindOf(row, ['a', 'a'], ['a', 'b'])).toEqual(['deleted', null]);
  expect(await kindOf(row, ['a', 'a'], ['a', 'a'])).toEqual(['deleted', null]);
});
