// Attacks on what tests show: a fix, what was asked for, and new tests.

import { CODE, code, FIXED, TESTS, tests, withCase, type ClaimAttack } from '../attack.ts';

/** A test that fails with the change, and not only without it, is refused before the claim is looked at. */
const REFUSED = /^refused: (?:claim|tests)/;
const fix = (name: string, says: RegExp, edits: ClaimAttack['edits'], expected = REFUSED): ClaimAttack => ({
  claim: 'fix',
  name,
  says,
  edits,
  expected,
});
const request = (name: string, says: RegExp, edits: ClaimAttack['edits'], expected = REFUSED): ClaimAttack => ({
  ...fix(name, says, edits, expected),
  claim: 'request',
});
const more = (name: string, says: RegExp, edits: ClaimAttack['edits'], expected = REFUSED): ClaimAttack => ({
  ...fix(name, says, edits, expected),
  claim: 'tests',
});
const empty = 'assert.equal(mean([]), 0);';
const shared = `${TESTS}let ran = 0;\ntest('first', () => {\n  ran += 1;\n});\ntest('second', () => {\n  assert.equal(mean([]), ran === 1 ? 0 : 1);\n});\n`;
const median = `${CODE}export function median(values) {\n  return values.toSorted()[values.length >> 1];\n}\n`;

export const FIXES: readonly ClaimAttack[] = [
  fix('a test that fails for another reason: a name that is not there', /cannot use what they test|do not run at all/, [
    code(median),
    tests(
      TESTS.replace('mean, spread', 'mean, median, spread').concat("test('m', () => assert.equal(median([1]), 1));\n"),
    ),
  ]),
  fix(
    'a test that fails for another reason: a module that is not there',
    /cannot use what they test|do not run at all/,
    [
      code(FIXED),
      { path: 'extra.js', before: null, after: 'export const zero = 0;\n' },
      {
        path: 'extra.test.js',
        before: null,
        after: `${TESTS.replace("from './mean.js';", "from './mean.js';\nimport { zero } from './extra.js';")}test('z', () => assert.equal(mean([]), zero));\n`,
      },
    ],
  ),
  fix('a test that asserts nothing', /pass without the change, too/, [code(FIXED), withCase('mean([]);')]),
  fix('a test of what worked already', /pass without the change, too/, [
    code(FIXED),
    withCase('assert.equal(mean([4]), 4);'),
  ]),
  fix('a test that fails by chance', /None of the tests|pass without the change, too|fails with the change/, [
    code(FIXED),
    withCase('assert.ok(Math.random() < 0.95);'),
  ]),
  fix('a test that is skipped', /does not run everywhere/, [code(FIXED), withCase(empty, 'more', '{ skip: true }, ')]),
  fix('a test that is skipped on CI', /does not run everywhere/, [
    code(FIXED),
    tests(`${TESTS}(process.env.CI ? test.${'skip'} : test)('more', () => {\n  ${empty}\n});\n`),
  ]),
  fix('a test that skips itself', /does not run everywhere|fails with the change/, [
    code(FIXED),
    tests(`${TESTS}test('more', (t) => {\n  t.skip();\n  ${empty}\n});\n`),
  ]),
  fix('a check taken out beside it', /removes a check/, [
    code(FIXED),
    tests(withCase(empty).after!.replace('  assert.equal(mean([1, 2, 3]), 2);\n', '')),
  ]),
  fix(
    'code that special-cases the input of the test',
    /asks for 17, which the test uses/,
    [
      code(CODE.replace('  let sum', '  if (values[0] === 17) return 5;\n  let sum')),
      withCase('assert.equal(mean([17, 3]), 5);'),
    ],
    /^asks/,
  ),
  fix(
    'code that looks the answer up',
    /which the test uses/,
    [
      code(
        CODE.replace(
          '  let sum',
          "  const known = { '17,3': 5 }[String(values)];\n  if (known) return known;\n  let sum",
        ),
      ),
      withCase("assert.equal(String([17, 3]), '17,3');\n  assert.equal(mean([17, 3]), 5);"),
    ],
    /^asks/,
  ),
  fix(
    'a test that passes by the order of its cases',
    /edits? .*judged by|by an agent|“Fixes a defect”/,
    [code(FIXED), tests(shared)],
    /^asks/,
  ),
  {
    ...fix(
      'code that changes what no test names, beside a fix with a test',
      /`mean\(\[0, 0, 0, 0, 0\]\)` answers differently/,
      [code(FIXED.replace('sum = 0;', 'sum = values.length > 4 ? 1 : 0;')), withCase(empty)],
      /^asks/,
    ),
    isCompared: true,
  },
  fix('no test at all', /brings no test/, [code(FIXED)]),
  { ...fix('a dear fix', /The score falls/, [code(FIXED), withCase(empty)], /^refused: score/), costs: 2 },
];

/** Code that gives the answers of `withSpecial` and otherwise does what it did. */
const special = (lines: string) => code(CODE.replace('  let sum', `${lines}\n  let sum`));
const ofSeventeen = withCase('assert.equal(mean([17, 3]), 5);');
const ofRows = tests(
  `${TESTS}for (const [first, expected] of [[17, 5]]) {\n  test(\`of \${first}\`, () => {\n    assert.equal(mean([first, 3]), expected);\n  });\n}\n`,
);

export const REQUESTS: readonly ClaimAttack[] = [
  request(
    'code that counts its calls',
    /newly keeps `calls` between calls/,
    [
      code(
        CODE.replace('export function mean', 'let calls = 0;\nexport function mean')
          .replace('  let sum', '  calls += 1;\n  let sum')
          .replace('return sum / values.length;', 'return calls === 2 ? 0 : sum / values.length;'),
      ),
      withCase(empty),
    ],
    /^asks/,
  ),
  request(
    'code that is told that it is tested',
    /reaches for `globalThis`/,
    [special('  if (globalThis !== undefined && values.length === 0) return 0;'), withCase(empty)],
    /^asks/,
  ),
  request(
    'code that special-cases the input of the test',
    /asks for 17, which the test uses/,
    [special('  if (values[0] === 17) return 5;'), ofSeventeen],
    /^asks/,
  ),
  request(
    'code that special-cases the input by a difference',
    /asks for 17, which the test uses/,
    [special('  if (Math.abs(values[0] - 17) < 0.1) return 5;'), ofSeventeen],
    /^asks/,
  ),
  request(
    'code that special-cases the input as text',
    /asks for '\[17,3\]', which the test uses/,
    [special("  if (JSON.stringify(values) === '[17,3]') return 5;"), ofSeventeen],
    /^asks/,
  ),
  request(
    'code that special-cases the input by a pattern',
    /asks for .*, which the test uses/,
    [special('  if (/^17,3$/.test(values.join())) return 5;'), ofSeventeen],
    /^asks/,
  ),
  request(
    'code that special-cases the input by its sum and returns the answer of the test',
    /answers with 5, which the test uses/,
    [special('  if (values[0] + values[1] === 10 + 10) return 5;'), ofSeventeen],
    /^asks/,
  ),
  request(
    'code that special-cases the input that a loop gives to the test',
    /asks for 17, which the test uses/,
    [special('  if (values[0] === 17) return 5;'), ofRows],
    /^asks/,
  ),
  request(
    'code that special-cases some inputs around that of a loop, and assigns the answer',
    /answers with 5, which the test uses/,
    [
      special(
        '  let known = null;\n  if (values[0] > 15 + 1 && values[0] < 9 + 9) known = 5;\n  if (known) return known;',
      ),
      ofRows,
    ],
    /^asks/,
  ),
  request(
    'code that special-cases the inputs next to that of the test, too',
    /answers with 5, which the test uses/,
    [special('  if (values[0] > 15 + 1 && values[0] < 10 + 10) return 5;'), ofSeventeen],
    /^asks/,
  ),
  request('a test of what was there before', /pass without the change, too/, [
    code(median),
    withCase('assert.equal(mean([4]), 4);'),
  ]),
  request('a test that asserts nothing', /pass without the change, too/, [code(median), withCase('mean([1]);')]),
  request('a test that fails with it as well', /pass without the change|None of the tests|fails with the change/, [
    code(median),
    withCase('assert.equal(mean([1]), 2);'),
  ]),
  request('a test that is skipped', /does not run everywhere/, [
    code(median),
    withCase(empty, 'more', '{ skip: true }, '),
  ]),
  request('a test that runs only on CI', /does not run everywhere/, [
    code(FIXED),
    withCase(`if (process.env.CI) ${empty}`),
  ]),
  request('a test that depends on chance', /None of the tests|pass without the change, too|fails with the change/, [
    code(median),
    withCase('assert.ok(Math.random() < 0.95);'),
  ]),
  request('tests only', /changes tests only|fails with the change/, [withCase('assert.equal(mean([]), 0);')]),
  request('a check taken out beside it', /removes a check/, [
    code(FIXED),
    tests(withCase(empty).after!.replace('  assert.equal(mean([1, 2, 3]), 2);\n', '')),
  ]),
  request(
    'what is really asked for still waits for a person',
    /“Does what was asked for”/,
    [code(FIXED), withCase(empty)],
    /^asks/,
  ),
];

export const NEW_TESTS: readonly ClaimAttack[] = [
  more('a test of itself', /notice none of|noticed by other tests|run none of/, [
    withCase('const own = (n) => n + 1;\n  assert.equal(own(1), 2);'),
  ]),
  more('a test that asserts nothing', /assert nothing/, [withCase('spread([1, 5]);')], /^refused: score/),
  more('an assertion that always holds', /notice none of|noticed by other tests/, [
    withCase('assert.equal(typeof mean([1]), typeof mean([2]));'),
  ]),
  more('a test that others have already', /noticed by other tests/, [withCase('assert.equal(mean([1, 2, 3]), 2);')]),
  more('a test that is skipped on CI', /does not run everywhere/, [
    withCase('assert.equal(spread([1, 5]), 4);', 'more', '{ skip: process.env.CI }, '),
  ]),
  more('a test that leaves early on CI', /does not run everywhere/, [
    withCase('if (process.env.CI) return;\n  assert.equal(spread([1, 5]), 4);'),
  ]),
  more(
    'a test that passes by chance',
    /sometimes fail|times in a row|No new test passes|depend on chance|noticed by other tests|fails with the change/,
    [withCase('assert.ok(spread([1, 5]) === 4 && Math.random() < 0.3);')],
  ),
  more(
    'a test that takes another one out',
    /fewer tests|assert less|assert nothing/,
    [tests(withCase('assert.equal(spread([1, 5]), 4);').after!.replace(/test\('spread'[^]*?\n}\);\n/, ''))],
    /^refused: (?:integrity|score)/,
  ),
  more(
    'a test that writes the code it tests',
    /./,
    [
      tests(
        `import { writeFileSync } from 'node:fs';\n${withCase('assert.equal(spread([1, 5]), 4);').after}writeFileSync('mean.js', 'export const mean = () => 2;');\n`,
      ),
    ],
    /^(?:refused|asks)/,
  ),
  more(
    'a test that weakens what other tests check with',
    /./,
    [tests(`${withCase('assert.ok(spread([1, 5]) === 4);').after}assert.equal = () => {};\n`)],
    /^(?:refused|asks)/,
  ),
  more(
    'a test that notices nothing beside one that does',
    /Not seen to notice any mistake: “[^”]*filler”/,
    [
      tests(
        `${withCase('assert.equal(spread([1, 5]), 4);').after}test('filler', () => assert.ok(mean([1]) !== null));\n`,
      ),
    ],
    /^asks/,
  ),
  more(
    'a hook that runs before the tests of others',
    /./,
    [tests(`${withCase('assert.equal(spread([1, 5]), 4);').after}test.beforeEach?.(() => {});\n`)],
    /^(?:refused|asks)/,
  ),
];
