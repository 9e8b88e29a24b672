// What a model is shown of the output of commands: real outputs, those below `long` from runs with 123 tests. What
// names a failure stays.

import fc from 'fast-check';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { condenseOutput } from '../../../server/src/core/verify/parse/condense/condenseOutput.ts';
import { removeEscapeSequences } from '../../../server/src/core/verify/parse/plainText.ts';
import { parseStylish } from '../../../server/src/core/verify/parse/lintProblems.ts';
import { parseTestOutput } from '../../../server/src/core/verify/parse/testOutput.ts';
import { parseTypeErrors } from '../../../server/src/core/verify/parse/typeErrors.ts';
import { estimateTokens } from '../../../server/src/util/tokens.ts';
import { runs } from '../../helpers/properties.ts';

const folder = join(import.meta.dirname, '../../fixtures/verify/output');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const long = readdirSync(join(folder, 'long')).map((name) => `long/${name}`);
const names = [...readdirSync(folder).filter((name) => name.endsWith('.txt')), ...long];

/** The last title of each failing test. */
const failingTitles = (output: string) =>
  (parseTestOutput(output)?.failedNames ?? []).map((name) => name.split(/ › | > |: /).at(-1)!);

test.each(names)('%s: each failing test, type error and finding is still named, in no more tokens', (name) => {
  const output = read(name);
  for (const limit of [Infinity, 4_000]) {
    const condensed = condenseOutput(output, limit);
    expect(condensed.length).toBeLessThanOrEqual(limit);
    expect(condensed).not.toContain('\u001b');
    expect(estimateTokens(condensed)).toBeLessThanOrEqual(estimateTokens(output));
    for (const title of failingTitles(output)) expect(condensed).toContain(title);
    expect(parseTypeErrors(condensed)).toEqual(parseTypeErrors(output));
    expect(parseStylish(condensed)).toEqual(parseStylish(output));
  }
});

/** What each long output says about its failures: a message, both sides of the difference, the repository's frame. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  'long/ava.txt': [
    "city: 'Bern'",
    "city: 'Basel'",
    'The name of the order is missing: {}',
    'lib.js:2:84',
    'test.js:64',
  ],
  'long/go.txt': ['got 0, want 1', 'panic: runtime error: index out of range', '/go/shop.go:11'],
  'long/jest.txt': [
    '"city": "Bern"',
    '"city": "Basel"',
    'Expected: 1',
    'The name of the order is missing',
    'lib.js:2:84',
  ],
  'long/mocha.txt': ["city: 'Bern'", "city: 'Basel'", '0 !== 1', 'The name of the order is missing: {}', 'lib.js:2:84'],
  'long/node.txt': ["city: 'Bern'", "city: 'Basel'", '0 !== 1', 'The name of the order is missing: {}', 'lib.js:2:84'],
  'long/nodetap.txt': [
    "city: 'Bern'",
    "city: 'Basel'",
    '0 !== 1',
    'The name of the order is missing: {}',
    'lib.js:2:84',
  ],
  'long/pytest.txt': [
    "'city': 'Bern'",
    'assert 0 == 1',
    'TypeError: The name of the order is missing: {}',
    'shop.py:6',
  ],
  'long/vitest.txt': ['"city": "Bern"', '"city": "Basel"', 'expected +0 to deeply equal 1', 'lib.cjs:2:84'],
};

test.each(long)('%s: message, difference and frames stay; at least four fifths of the tokens go', (name) => {
  const output = read(name);
  const condensed = condenseOutput(output, 4_000);
  for (const words of SAID[name]!) expect(condensed).toContain(words);
  expect(condensed).not.toMatch(/node_modules|node:internal|testing\.go/);
  expect(condensed).toContain('lines about passing tests)');
  expect(condensed).not.toContain('number 17');
  expect(estimateTokens(condensed)).toBeLessThan(estimateTokens(output) / 5);
});

test('lines that name a failure are left out last, and each gap says how many lines are missing', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('Building the shop', 'one more step', 'all is well', 'reads a file'), {
        maxLength: 400,
      }),
      fc.array(fc.nat(400), { maxLength: 8 }),
      (noise, places) => {
        const lines = noise.map((line, index) => `${line} ${index}`);
        places.forEach((place, index) => {
          lines.splice(place % (lines.length + 1), 0, `src/a${index}.ts(1,2): error TS2322: wrong ${index}.`);
        });
        const condensed = condenseOutput(lines.join('\n'), 2_000);
        expect(condensed.length).toBeLessThanOrEqual(2_000);
        places.forEach((_, index) => expect(condensed).toContain(`error TS2322: wrong ${index}.`));
        const gaps = [...condensed.matchAll(/^\((\d+) lines? (?:is|are) left out\.\)$/gm)];
        const shown = condensed.split('\n').length - gaps.length;
        if (lines.length > 0) expect(gaps.reduce((sum, [, count]) => sum + Number(count), shown)).toBe(lines.length);
      },
    ),
    runs(100),
  );
});

test('the assertion that failed stays after a log full of errors, and before one', () => {
  const log = Array.from({ length: 300 }, (_, index) => `[app] Error number ${index}: retry ${index * 7}`);
  const assertion = 'AssertionError [ERR_ASSERTION]: 1 !== 2';
  const more = Array.from({ length: 50 }, (_, index) => `shutting down worker ${index} of ${index * 3}`);
  expect(condenseOutput([...log, assertion, ...more].join('\n'), 4_000)).toContain(assertion);
  const last = 'TypeError: x is not a function';
  expect(condenseOutput([...log, ...more, last].join('\n'), 4_000)).toContain(last);
});

test('figures of a passing test without an end hide no failure', () => {
  const tap = [
    'ok 1 - adds',
    '  ---',
    '  duration_ms: 1',
    'not ok 2 - cuts',
    '  ---',
    "  error: 'Expected 2'",
    '  ...',
  ];
  expect(condenseOutput(tap.join('\n'))).toContain("not ok 2 - cuts\n  ---\n  error: 'Expected 2'");
});

test('what a terminal would overwrite is left out, unless it names a failure', () => {
  expect(condenseOutput('step 1\rstep 2\rdone\r\nnext')).toBe('done\nnext');
  expect(condenseOutput('step 1\rError: no\rdone\n')).toBe('Error: no\ndone');
  expect(condenseOutput('[===>   ] 42%\n ⠋ loading\n......\nDownloading a 3 %\nError: 42%\n')).toBe('Error: 42%');
});

test('repeated lines and blocks are folded with their number; a long line keeps its beginning and end', () => {
  const block = 'warning: old\n  at src/a.ts:1:2\n';
  expect(condenseOutput(`${'same\n'.repeat(5)}${block.repeat(3)}end`)).toBe(
    `same\n(the line above 4 more times)\n${block}(the 2 lines above 2 more times)\nend`,
  );
  expect(condenseOutput(`Error: ${'x'.repeat(2_000)} the end`)).toMatch(/^Error: x+…\(\d+ characters\)…x+ the end$/);
});

test('no text makes it longer than it is by more than its notes, and plain text stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.nat(300), (text, limit) => {
      expect(condenseOutput(text, limit).length).toBeLessThanOrEqual(limit);
    }),
    runs(200),
  );
  const plain = 'src/a.ts\n  1:5  error  It is wrong  no-wrong\n\n1 problem';
  expect(condenseOutput(plain)).toBe(removeEscapeSequences(plain));
});
