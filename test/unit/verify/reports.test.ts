// Reports as real runners write them (test/fixtures/verify/output), and lists read from their usual output → tests one
// by one.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseTestOutput } from '../../../server/src/core/verify/parse/testOutput.ts';
import { parseTap } from '../../../server/src/core/verify/parse/tests/tap.ts';
import { parseUvu } from '../../../server/src/core/verify/parse/tests/uvu.ts';
import type { TestCase, TestCounts } from '../../../server/src/core/verify/parse/testCounts.ts';
import { parseTestReport, type ReportFormat } from '../../../server/src/core/verify/parse/testReport.ts';
import { compareTests } from '../../../server/src/core/verify/testing/testRun.ts';

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'verify', 'output', name), 'utf8');
const marks = { passed: '+', failed: '-', skipped: '~' } as const;
const shown = (counts: TestCounts | null) =>
  counts?.cases?.map(({ file, name, outcome }) => `${marks[outcome]} ${file === null ? '' : `${file}: `}${name}`);

test('an empty title around a test, as Vitest 1 has it for the file, is no part of the name', () => {
  const assertionResults = [{ ancestorTitles: ['', 'A'], title: 'one', status: 'passed' }];
  const report = JSON.stringify({ testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults }] });
  expect(shown(parseTestReport(report, 'jest'))).toEqual(['+ a.test.ts: A › one']);
});

test('a report names every test, its file and its time', () => {
  const check = (file: string, format: ReportFormat, expected: readonly string[]) => {
    const found = parseTestReport(fixture(file), format);
    expect(shown(found), file).toEqual(expected);
    expect(
      found?.cases?.some(({ millis }) => millis !== null),
      file,
    ).toBe(true);
  };
  // Node escapes a quote in a suite's name twice.
  check('node-report.xml', 'junit', [
    '+ t/a.test.mjs: sum › adds',
    '- t/a.test.mjs: sum › fails here',
    '+ t/a.test.mjs: sum › in <x> & &quot;y&quot; › deep',
    '+ t/a.test.mjs: top',
    '~ t/a.test.mjs: not now',
    '~ t/a.test.mjs: later',
    '+ t/a.test.mjs: parent › child',
    '- t/b.test.mjs: t/b.test.mjs',
  ]);
  check('vitest-report.json', 'jest', [
    '+ a.test.ts: A › one',
    '- a.test.ts: A › two',
    '~ a.test.ts: A › three',
    '~ a.test.ts: A › four',
    '- b.test.ts: (the file itself)',
  ]);
  check('mocha-report.json', 'mocha', [
    '+ m.cjs: A one',
    '- m.cjs: A two',
    '- m.cjs: B "before all" hook for "never"',
    '~ m.cjs: A three',
  ]);
  // As pytest and others write it: the class says where a test stands.
  const other =
    '<?xml version="1.0"?><testsuites><testsuite name="pytest" tests="3"><testcase classname="tests.test_a.TestB" name="test_one[a&gt;b]" time="0.5" /><testcase classname="tests.test_a" name="test_two" time="0.001"><failure message="a > b"><![CDATA[</testcase>]]></failure></testcase><testcase classname="tests.test_a" name="test_three"><skipped/></testcase></testsuite></testsuites>';
  expect(shown(parseTestReport(other, 'junit'))).toEqual([
    '+ tests.test_a.TestB › test_one[a>b]',
    '- tests.test_a › test_two',
    '~ tests.test_a › test_three',
  ]);
});

test('what is no report is none', () => {
  for (const format of ['jest', 'mocha', 'junit'] as const) {
    for (const text of [null, '', '{', 'null', '[]', '{"stats": {}}', 'Tests: 1 passed'])
      expect(parseTestReport(text, format), `${format} ${text}`).toBeNull();
  }
});

test('usual output names the tests, too, where it lists all of them', () => {
  const check = (file: string, expected: readonly string[] | undefined) =>
    expect(shown(parseTestOutput(fixture(file))), file).toEqual(expected);
  check('node-spec-failing.txt', [
    '+ sum › adds',
    '- sum › fails here',
    '+ outer passes',
    '~ outer is skipped',
    '~ later',
    '- with # hash',
  ]);
  check('node-tap-failing.txt', [
    '+ adds',
    '- fails here',
    '+ outer passes',
    '~ outer is skipped',
    '~ later',
    '- with \\# hash',
  ]);
  check('tape-failing.txt', ['- sum']);
  check('mocha-failing.txt', [
    '~ Array › pending one',
    '- Array › throws',
    '+ Array › #indexOf() › is -1 when absent',
    '- Array › #indexOf() › finds',
  ]);
  check('cargo-failing.txt', [
    '+ tests::adds',
    '~ tests::ignored',
    '- tests::fails_here',
    '+ src/lib.rs - add (line 1)',
  ]);
  check('go-failing.txt', [
    '+ TestAdds',
    '- TestTable',
    '+ TestTable/one',
    '- TestTable/two',
    '~ TestLater',
    '- example.com/sums/broken [build failed]',
  ]);
  // A list that does not add up to what the runner says is not believed.
  for (const file of [
    'vitest-failing.txt',
    'jest-failing.txt',
    'pytest-failing.txt',
    'ava-failing.txt',
    'pnpm-recursive.txt',
  ])
    check(file, undefined);
  expect(
    shown(
      parseTestOutput(
        'test_a.py::test_x PASSED [ 50%]\ntest_a.py::test_y SKIPPED (no) [100%]\n==== 1 passed, 1 skipped in 0.64s ====\n',
      ),
    ),
  ).toEqual(['+ test_a.py: test_x', '~ test_a.py: test_y']);
});

test('two runs are compared test by test', () => {
  const run = (words: string): TestCounts => {
    const cases = words
      .split(' ')
      .filter(Boolean)
      .map(
        (word): TestCase => ({
          file: 'a',
          name: word.slice(1),
          outcome: word.startsWith('+') ? 'passed' : word.startsWith('-') ? 'failed' : 'skipped',
          millis: null,
        }),
      );
    return { passed: 0, failed: 0, skipped: 0, failedNames: [], cases };
  };
  const check = (before: string, after: string, failing: string, missing: string) => {
    const found = compareTests(run(before), run(after));
    expect(
      [found?.failing.map(({ name }) => name).join(' '), found?.missing.map(({ name }) => name).join(' ')],
      `${before} | ${after}`,
    ).toEqual([failing, missing]);
  };
  check('+a +b', '+b +a', '', '');
  check('+a +b', '+a -b', 'b', '');
  check('+a -b', '+a -b', '', '');
  check('+a -b', '+a +b', '', '');
  check('-a', '', '', '');
  check('+a +b', '+a', '', 'b');
  check('+a +b', '+a ~b', '', 'b');
  check('+a +b', '+a +c', '', 'b');
  check('+a', '+a +c -d', 'd', '');
  // Tests of one name are counted.
  check('+a +a', '+a', '', 'a');
  check('+a +a', '+a -a', 'a', '');
  check('~a', '-a', 'a', '');
  // What is another one in every run is no part of a name: a port, a hash, an identifier.
  check('+port:43117 -/var/tmp/868c0619c1.socket', '+port:50022 -/var/tmp/be3e9235d5.socket', '', '');
  check(
    '+a-019b2c3d-11aa-7000-8000-0123456789ab',
    '-a-019b2c3e-22bb-7000-8000-ba9876543210',
    'a-019b2c3e-22bb-7000-8000-ba9876543210',
    '',
  );
  check('+year:2024 +feedback +deadbeef', '+year:2025 +feedbacks +deadbeefs', '', 'year:2024 feedback deadbeef');
  expect(compareTests({ ...run('+a'), cases: null }, run('+a'))).toBeNull();
});

test('JUnit: suites that are closed, empty, or of one tag; names that are not told', () => {
  const suite = (inside: string) => `<testsuites>${inside}</testsuites>`;
  const test = (attributes: string) => `<testcase ${attributes}/>`;
  const read = (inside: string) => shown(parseTestReport(suite(inside), 'junit'));
  expect(read(test('name="a"'))).toEqual(['+ a']);
  expect(read(test('name="a" classname=""'))).toEqual(['+ a']);
  expect(read(test('name="a" classname="test"'))).toEqual(['+ a']);
  // Node: the suites around a test are its titles, where the class says the same.
  const inner = test('name="a" classname="x.y" file="f.js"');
  expect(read(`<testsuite name="x"><testsuite name="y">${inner}</testsuite>${inner}</testsuite>`)).toEqual([
    '+ f.js: x › y › a',
    '+ f.js: x.y › a',
  ]);
  expect(read(`<testsuite name="z"/><testsuite name="x"><testsuite name="y">${inner}</testsuite></testsuite>`)).toEqual(
    ['+ f.js: x › y › a'],
  );
  // A number that stands for no character stays as it is.
  expect(read(test('name="&#65;&#x42; &#1114112; &#x110000; &#ff;"'))).toEqual(['+ AB &#1114112; &#x110000; &#ff;']);
  expect(read('<testcase name="a"><skipped/><failure/></testcase>')).toEqual(['- a']);
  expect(read('<testcase name="a"><failure/><skipped/></testcase>')).toEqual(['- a']);
  expect(read('<testcase name="a"><error/></testcase>')).toEqual(['- a']);
  expect(read('<testcase name="a"><system-out>x</system-out></testcase>')).toEqual(['+ a']);
});

test('Jest: a suite that failed without a failed test is one; one with a failed test is not counted twice', () => {
  const read = (status: string, ...outcomes: string[]) =>
    shown(
      parseTestReport(
        JSON.stringify({
          testResults: [
            { name: 'a.js', status, assertionResults: outcomes.map((one) => ({ title: one, status: one })) },
          ],
        }),
        'jest',
      ),
    );
  expect(read('passed', 'passed')).toEqual(['+ a.js: passed']);
  expect(read('failed', 'passed', 'failed')).toEqual(['+ a.js: passed', '- a.js: failed']);
  expect(read('failed', 'passed')).toEqual(['+ a.js: passed', '- a.js: (the file itself)']);
  expect(read('failed')).toEqual(['- a.js: (the file itself)']);
  expect(read('passed', 'pending', 'todo')).toEqual(['~ a.js: pending', '~ a.js: todo']);
});

test("Node: the error of the test stands alone, with both values, and without the runner's frames", () => {
  const message = 'the rate is wrong&#10;&#10;1 !== 2&#10;';
  const frames = Array.from({ length: 5 }, (_, at) => `      at Test.run (node:internal/test_runner/test:${at}:25)\n`);
  const body = `
[Error [ERR_TEST_FAILURE]: the rate is wrong

1 !== 2
] {
  code: 'ERR_TEST_FAILURE',
  failureType: 'testCodeFailure',
  cause: AssertionError [ERR_ASSERTION]: the rate is wrong
  
  1 !== 2
  
      at TestContext.&lt;anonymous> (/tmp/b.test.cjs:3:27)
${frames.join('')}      at startSubtestAfterBootstrap (node:internal/test_runner/harness:387:17) {
    generatedMessage: false,
    code: 'ERR_ASSERTION',
    actual: 1,
    expected: 2,
    operator: 'strictEqual',
    diff: 'simple'
  }
}
`;
  const failureOf = (inside: string) =>
    parseTestReport(
      `<testsuites><testcase name="a"><failure message="${message}">${inside}</failure></testcase></testsuites>`,
      'junit',
    )?.cases?.[0]?.failure;
  expect(failureOf(body)).toBe(`AssertionError [ERR_ASSERTION]: the rate is wrong

1 !== 2

    at TestContext.<anonymous> (/tmp/b.test.cjs:3:27)
  actual: 1,
  expected: 2,`);
  // A thrown text has no error of its own.
  expect(failureOf('\n[Error [ERR_TEST_FAILURE]: text] { cause: 1 }\n')).toMatch(/^the rate is wrong[^]*cause: 1 }$/);
});

test('tape: a test has its title, and fails with its first assertion that fails', () => {
  const report = [
    ...['TAP version 13', '# adds', 'ok 1 should be equal', 'ok 2 should be equal', '# SKIP later', '# is empty'],
    ...['# takes away', 'ok 3 should be equal', 'not ok 4 should be true', '  ---', '    operator: ok', '  ...'],
    ...['not ok 5 should be false', '', '1..5', '# tests 5', '# pass  3', '# fail  2', ''],
  ].join('\n');
  const { passed, failed, cases } = parseTap(report)!;
  expect([passed, failed]).toEqual([1, 1]);
  expect(cases!.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['adds', 'passed'],
    ['takes away', 'failed'],
  ]);
  expect(cases![1]!.failure).toMatch(/^should be true/);
});

test('uvu: tests have their suites and names where a line follows each mark', () => {
  const line = (suite: string, name: string, passed: boolean) =>
    `${passed ? '•' : '✘'} \n[selfware-uvu] ${JSON.stringify({ suite, name, passed })}\n`;
  const end = '  (1 / 2)\n\n  Total:     2\n  Passed:    1\n  Skipped:   0\n  Duration:  1ms\n';
  const named = parseUvu(`a.js\n${line('sum', 'adds', true)}${line('', 'fails "here"', false)}${end}`)!;
  expect(named.cases!.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['sum › adds', 'passed'],
    ['fails "here"', 'failed'],
  ]);
  expect(parseUvu(`a.js\n• ✘ ${end}`)!.cases).toBeNull();
  const report = (name: string, message: string) =>
    `   FAIL  sum  "${name}"\n    ${message}  (is)\n\n        ++3    (Expected)\n        --4    (Actual)\n\n    at assert (a.js:1:1)\n\n\n`;
  const failing = line('sum', 'adds', false) + line('sum', 'takes', false);
  const reports = report('adds', 'Expected values to be strictly equal:') + report('takes', 'It is gone.');
  const reported = `${failing}  (0 / 2)\n\n${reports} other  • \n`;
  const { cases } = parseUvu(`${reported}${end.replace('Passed:    1', 'Passed:    0')}`)!;
  expect(cases!.map(({ failure }) => failure?.split('\n')[0])).toEqual([
    'Expected values to be strictly equal:  (is)',
    'It is gone.  (is)',
  ]);
  expect(cases![1]!.failure).not.toContain('other');
});
