// Outputs as real tools print them (test/fixtures/verify/output) → counts and problems.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  parseBiome,
  parseEslint,
  parseOxlint,
  parseStylish,
} from '../../../server/src/core/verify/parse/lintProblems.ts';
import { findAddedProblems, findAddedInCode, type Problem } from '../../../server/src/core/verify/parse/problem.ts';
import { parseTestOutput } from '../../../server/src/core/verify/parse/testOutput.ts';
import { parseTypeErrors, addCode } from '../../../server/src/core/verify/parse/typeErrors.ts';

const output = (name: string) =>
  readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'verify', 'output', name), 'utf8');

/** File → [passed, failed, skipped, names of what failed]; null = not recognised. */
const runs: Readonly<Record<string, readonly [number, number, number, readonly string[]] | null>> = {
  'node-spec-failing.txt': [2, 2, 2, ['fails here', 'sum', 'with # hash']],
  'node-spec-passing.txt': [2, 0, 0, []],
  'node-tap-failing.txt': [2, 2, 2, ['fails here', 'sum', 'with \\# hash']],
  'node-tap-passing.txt': [2, 0, 0, []],
  'node-none.txt': [0, 0, 0, []],
  'tape-failing.txt': [0, 1, 0, ['sum']],
  'tap-nested-failing.txt': [2, 2, 1, ['inner fails', 'has too few']],
  'vitest-failing.txt': [2, 2, 2, ['c.test.ts [ c.test.ts ]', 'a.test.ts > sum > fails here']],
  'vitest-passing.txt': [1, 0, 0, []],
  'vitest-none.txt': [0, 0, 0, []],
  'vitest-none-passing.txt': [0, 0, 0, []],
  'jest-failing.txt': [2, 2, 2, ['sum › fails here', 'je/c.test.js: Test suite failed to run']],
  'jest-passing.txt': [1, 0, 0, []],
  'jest-none.txt': [0, 0, 0, []],
  'mocha-failing.txt': [1, 2, 1, ['Array › throws', 'Array › #indexOf() › finds']],
  'mocha-passing.txt': [1, 0, 0, []],
  'mocha-none.txt': [0, 0, 0, []],
  'ava-failing.txt': [1, 1, 2, ['fails here']],
  'ava-files.txt': [3, 1, 2, ['test › fails here']],
  'ava-passing.txt': [2, 0, 0, []],
  'bun-failing.txt': [1, 1, 1, ['sum > fails here']],
  'pytest-failing.txt': [2, 2, 2, ['test_a.py::test_bad', 'test_a.py::test_error']],
  'pytest-passing.txt': [1, 0, 0, []],
  'pytest-none.txt': [0, 0, 0, []],
  'unittest-failing.txt': [
    1,
    3,
    2,
    ['test_c (test_a.A.test_c)', 'test_b (test_a.A.test_b)', 'test_f (test_a.A.test_f)'],
  ],
  'unittest-passing.txt': [1, 0, 0, []],
  'cargo-failing.txt': [2, 1, 1, ['tests::fails_here']],
  'cargo-passing.txt': [3, 0, 1, []],
  'go-failing.txt': [2, 3, 1, ['TestTable', 'TestTable/two', 'example.com/sums/broken [build failed]']],
  'go-passing.txt': [2, 0, 0, []],
  'go-none.txt': [0, 0, 0, []],
  'pnpm-recursive.txt': [6, 1, 0, ['sum › fails here']],
  'turbo.txt': [5, 0, 0, []],
  'tap-spec-failing.txt': [1, 2, 0, ['adds › is two', 'more › yes']],
  'tap-spec-passing.txt': [2, 0, 0, []],
  'uvu-failing.txt': [2, 2, 1, ['sum › fails here', 'alone "quoted"']],
  'uvu-passing.txt': [4, 0, 1, []],
  'unrecognised.txt': null,
};

describe('test runs', () => {
  for (const [file, expected] of Object.entries(runs)) {
    test(file, () => {
      const found = parseTestOutput(output(file));
      expect(found && [found.passed, found.failed, found.skipped, [...found.failedNames].sort()]).toEqual(
        expected && [...expected.slice(0, 3), [...expected[3]].sort()],
      );
    });
  }

  test('several runners in one output are added up', () => {
    const found = parseTestOutput(
      output('vitest-passing.txt') + output('mocha-failing.txt') + output('vitest-passing.txt'),
    );
    expect(found).toMatchObject({ passed: 3, failed: 2, skipped: 1 });
  });

  test('a JSON report of Mocha that stands in the output is read; one that is cut is not', () => {
    const report = {
      stats: { tests: 2 },
      passes: [{ fullTitle: 'a adds', duration: 1 }],
      failures: [{ fullTitle: 'a halves', err: { message: 'no' } }],
      pending: [],
    };
    const text = `> tsc && mocha\n${JSON.stringify(report, null, 2)}\nerror Command failed.\n`;
    expect(parseTestOutput(text)).toMatchObject({ passed: 1, failed: 1, skipped: 0, failedNames: ['a halves'] });
    expect(parseTestOutput(text.slice(0, -60))).toBeNull();
  });

  test('colours and Windows line ends do not matter', () => {
    expect(
      parseTestOutput(
        '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m4 passed\u001b[39m\u001b[22m\u001b[90m (4)\u001b[39m\r\n',
      ),
    ).toMatchObject({ passed: 4 });
  });

  test('words about tests are not counts', () => {
    for (const text of [
      '',
      'Tests: none yet',
      'all 12 tests passed, hooray',
      '3 passing thoughts',
      'ok',
      'not ok, really',
    ])
      expect(parseTestOutput(text), text).toBeNull();
  });
});

test('type errors, plain, pretty and global', () => {
  const four = [
    "ts/a.ts TS2322 Type 'number' is not assignable to type 'string'.",
    "ts/a.ts TS2307 Cannot find module './missing' or its corresponding type declarations.",
    "ts/a.ts TS2339 Property 'b' does not exist on type '{ a: number; }'.",
    "ts/a.ts TS2322 Type 'number' is not assignable to type 'string'.",
  ];
  const check = (file: string, expected: readonly string[]) =>
    expect(
      parseTypeErrors(output(file)).map(({ path, code, message }) => `${path} ${code} ${message}`),
      file,
    ).toEqual(expected);
  check('tsc-plain.txt', four);
  check('tsc-pretty.txt', four);
  check('tsc-global.txt', [" TS5058 The specified path does not exist: 'nowhere'."]);
  check('unrecognised.txt', []);
});

test('lint problems, as JSON and as text', () => {
  const check = (problems: Problem[] | null, expected: readonly string[] | null) =>
    expect(problems?.map(({ path, code }) => `${path} ${code}`) ?? null).toEqual(expected);
  const eslint = ['no-unused-vars', 'no-debugger', 'eqeqeq'].map((rule) => `/repository/li/a.js ${rule}`);
  check(parseEslint(output('eslint.json')), [...eslint, '/repository/li/broken.js parse error']);
  check(parseStylish(output('eslint-stylish.txt')), [...eslint, '/repository/li/broken.js parse error']);
  check(
    parseBiome(output('biome.json')),
    ['correctness/noUnusedVariables', 'style/useConst', 'suspicious/noDebugger', 'suspicious/noDoubleEquals'].map(
      (rule) => `li/a.js lint/${rule}`,
    ),
  );
  check(
    parseBiome(output('biome-1.json')),
    ['suspicious/noDebugger', 'suspicious/noDoubleEquals', 'style/noVar', 'style/useConst'].map(
      (rule) => `a.js lint/${rule}`,
    ),
  );
  expect(parseBiome(output('biome-1.json'))?.[0]?.message).toBe('This is an unexpected use of the debugger statement.');
  check(
    parseOxlint(output('oxlint.json')),
    ['no-unused-vars', 'no-debugger', 'no-unused-expressions'].map((rule) => `li/a.js eslint(${rule})`),
  );
  for (const parse of [parseEslint, parseBiome, parseOxlint, parseStylish])
    check(parse(output('unrecognised.txt')), null);
  check(parseEslint('note: a [draft] of {things}\n'), null);
});

test('problems are compared as multisets', () => {
  const problem = (path: string, code: string): Problem => ({ path, code, message: '' });
  const key = ({ path, code }: Problem) => `${path} ${code}`;
  const check = (before: string, after: string, expected: string) => {
    const list = (text: string) => [...text].map((code) => problem('a', code));
    expect(
      findAddedProblems(list(before), list(after), key)
        .map(({ code }) => code)
        .join(''),
    ).toBe(expected);
  };
  check('', '', '');
  check('xy', 'yx', '');
  check('x', 'xx', 'x');
  check('xx', 'x', '');
  check('x', 'xyy', 'yy');
});

test('an error is known by its line of code; one on a rewritten line by its words', () => {
  const error = (text: string, message = 'm'): Problem => ({ path: 'a.ts', code: 'TS1', message, text });
  const check = (
    before: readonly Problem[],
    after: readonly Problem[],
    texts: readonly [string, string],
    expected: readonly string[],
  ) =>
    expect(
      findAddedInCode(before, after, [{ path: 'a.ts', before: texts[0], after: texts[1] }]).map(({ text }) => text),
    ).toEqual(expected);
  // Moved, and indented.
  check([error('f(1)')], [error('f(1)')], ['f(1)', 'if (x) {\n  f(1)\n}'], []);
  // Mended here, made there: the line stood there before, and was right.
  check([error('f(1)')], [error('g(1)')], ['f(1)\ng(1)', 'f(2)\ng(1)'], ['g(1)']);
  // The same error on the line as it is now.
  check([error('f(1)')], [error('f(1 )')], ['f(1)', 'f(1 )'], []);
  check([error('f(1)')], [error('f(1 )'), error('f(1  )')], ['f(1)', 'f(1 )\nf(1  )'], ['f(1  )']);
  check([error('f(1)')], [error('f(1 )', 'other')], ['f(1)', 'f(1 )'], ['f(1 )']);
  check([], [error('f(1)')], ['', 'f(1)'], ['f(1)']);
  // In a file that is not edited every line stood there before.
  expect(findAddedInCode([{ ...error('x'), path: 'b.ts' }], [{ ...error('y'), path: 'b.ts' }], [])).toHaveLength(1);
});

test('the line of a type error is told where the compiler tells it', () => {
  const output = 'src/a.ts(12,3): error TS1: plain\nsrc/b.ts:7:1 - error TS2: pretty\nerror TS3: global\n';
  expect(parseTypeErrors(output)).toEqual([
    { path: 'src/a.ts', code: 'TS1', message: 'plain', line: 12 },
    { path: 'src/b.ts', code: 'TS2', message: 'pretty', line: 7 },
    { path: '', code: 'TS3', message: 'global' },
  ]);
});

test('an error is given the line of code that it is about, if there is one; each file is read once', async () => {
  const read: string[] = [];
  const problems = [
    { path: 'a.ts', code: 'TS1', message: '', line: 2 },
    { path: 'a.ts', code: 'TS2', message: '', line: 9 },
    { path: 'a.ts', code: 'TS3', message: '', line: 1 },
    { path: 'a.ts', code: 'TS4', message: '' },
    { path: 'gone.ts', code: 'TS5', message: '', line: 1 },
    { path: '', code: 'TS6', message: '' },
  ];
  const found = await addCode(problems, async (path) => {
    read.push(path);
    return path === 'a.ts' ? new TextEncoder().encode('\n  f(1);\n') : null;
  });
  expect(found).toEqual([{ ...problems[0]!, text: 'f(1);' }, ...problems.slice(1)]);
  expect(read).toEqual(['a.ts', 'gone.ts']);
});

/** [passed, failed, skipped] of short outputs, where the fixtures of real runners say too little. */
test.each<[string, string, readonly number[] | null]>([
  ['AVA says how many passed, and lists none', '\n  5 tests passed\n', [5, 0, 0]],
  ['AVA says how many failed, and lists what passed', '  ✔ a\n  ✔ b\n\n  1 test failed\n', [2, 1, 0]],
  ['TAP without a summary', 'TAP version 13\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP\n1..3\n', [1, 1, 1]],
  ['TAP with a summary', 'ok 1 - a\nnot ok 2 - b\n1..2\n# pass 4\n# fail 2\n# cancelled 1\n# todo 1\n', [4, 3, 1]],
  ['points without a plan are no TAP', 'ok 1 - a\nnot ok 2 - b\n', null],
  [
    'cargo, several binaries',
    'test result: ok. 2 passed; 0 failed; 1 ignored;\ntest result: FAILED. 1 passed; 3 failed; 0 ignored;\n',
    [3, 3, 1],
  ],
  ['Go with nothing to run', '?   \texample.com/a\t[no test files]\n', [0, 0, 0]],
  ['Go that does not build', 'FAIL\texample.com/a [build failed]\n', [0, 1, 0]],
  ['pytest with errors', '==== 1 failed, 2 passed, 1 error, 1 xfailed, 1 xpassed in 0.64s ====\n', [3, 2, 1]],
])('%s', (_what, text, expected) => {
  const found = parseTestOutput(text);
  expect(found && [found.passed, found.failed, found.skipped]).toEqual(expected);
});

test('notes that a file is ignored are no problems; what cannot be parsed is one', () => {
  const eslint = (ruleId: string | null, severity: number) =>
    parseEslint(JSON.stringify([{ filePath: 'a.js', messages: [{ ruleId, severity, message: 'm' }] }]));
  expect(eslint('no-var', 1)).toEqual([{ path: 'a.js', code: 'no-var', message: 'm' }]);
  expect(eslint(null, 2)).toEqual([{ path: 'a.js', code: 'parse error', message: 'm' }]);
  expect(eslint(null, 1)).toEqual([]);
});

test('of a failure in the Test Anything Protocol, message, values and place are kept', () => {
  const tap = (block: string) => `TAP version 13\nnot ok 1 - a\n  ---\n${block}  ...\n1..1\n# pass 0\n# fail 1\n`;
  const failureOf = (block: string) => parseTestOutput(tap(block))?.cases?.[0]?.failure;
  const ava = `    name: AssertionError
    assertion: t.is()
    details:
      'Difference (- actual, + expected):': |-
        - 2
        + 3
    message: ''
    at: >-
      ExecutionContext.is
      (file:///r/node_modules/ava/lib/assert.js:309:16)
`;
  expect(failureOf(ava)).toBe('AssertionError: t.is()\nDifference (- actual, + expected):\n- 2\n+ 3');
  const node = `  duration_ms: 1.738328
  location: '/r/n.test.mjs:2:1'
  failureType: 'testCodeFailure'
  error: "'C' == 'B'"
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected: 'B'
  actual: 'C'
  operator: '=='
  stack: |-
    Test.runInAsyncScope (node:async_hooks:206:9)
    letter (file:///r/n.test.mjs:2:24)
`;
  expect(failureOf(node)).toBe(
    "AssertionError: 'C' == 'B'\nexpected: B\nactual: C\nat letter (file:///r/n.test.mjs:2:24)",
  );
  expect(failureOf('  no: [mapping\n')).toBe('no: [mapping');
  // A document of 300 kB is not parsed: that would take seconds, in which nothing else goes on.
  const found = `found:\n${Array.from({ length: 20_000 }, (_, key) => `    key${key}: ${key}\n`).join('')}`;
  const failure = failureOf(`  ${found}  at: here\n`)!;
  expect(failure.slice(0, 300)).toBe(found.slice(0, 300));
  expect(failure).toMatch(/\n\(\d+ lines are left out\.\)\n[^]*at: here$/);
  expect(failure.length).toBeLessThanOrEqual(900);
});

test('subtests of tap are named with their file, without their time', () => {
  const cases = parseTestOutput(output('tap-nested-failing.txt'))?.cases;
  expect(cases).toMatchObject([
    { file: 'tests/sum.js', name: 'adds', outcome: 'passed' },
    {
      file: 'tests/sum.js',
      name: 'inner fails',
      outcome: 'failed',
      failure: expect.stringMatching(/^should be equal\n.*-3\n\+2\nat tests\/sum\.js:8$/s) as string,
    },
    { file: 'tests/sum.js', name: 'inner waits', outcome: 'skipped' },
    { file: 'tests/sum.js', name: 'has too few', outcome: 'failed' },
    { file: 'tests/whole.js', name: 'tests/whole.js', outcome: 'passed' },
  ]);
});

test('subtests of tap whose result comes before their content are named, too', () => {
  const report = `TAP version 14
ok 1 - tests/sum.js # time=5.1ms {
    # Subtest: adds
        ok 1 - is two
        1..1
    ok 1 - adds # time=1.5ms
    1..1
}
not ok 2 - tests/text.js # time=7ms
  ---
  exitCode: 1
  ...
{
    ok 1 - joins # time=1ms {
        ok 1 - is ab
        1..1
    }
    not ok 2 - splits # time=2ms {
        not ok 1 - has two parts
          ---
          diff: |
            -1
            +2
          ...
        1..1
    }
    1..2
}
1..2
# failed 1 of 2 tests
`;
  expect(parseTestOutput(report)).toMatchObject({
    ...{ passed: 2, failed: 1, skipped: 0 },
    cases: [
      { file: 'tests/sum.js', name: 'adds', outcome: 'passed', millis: 1.5 },
      { file: 'tests/text.js', name: 'joins', outcome: 'passed', millis: 1 },
      { file: 'tests/text.js', name: 'splits', outcome: 'failed', failure: expect.stringMatching(/^has two parts/) },
    ],
  });
});
