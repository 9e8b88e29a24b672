// Examples of the documentation: which are run, and when a result is as stated.

import { expect, test } from 'vitest';
import { findCodeBlocks } from '../../../server/src/core/verify/examples/codeBlocks.ts';
import { compareResult } from '../../../server/src/adapters/harness/examples/compareResult.ts';
import { planExamples } from '../../../server/src/core/verify/examples/planExamples.ts';

const markdown = (...lines: readonly string[]) => `# Slug\n\n\`\`\`js\n${lines.join('\n')}\n\`\`\`\n`;
const checksOf = (...lines: readonly string[]) =>
  planExamples({
    path: 'README.md',
    text: markdown("import slug from 'slug';", ...lines),
    packageName: 'slug',
    codePath: null,
    isAtPackageRoot: true,
  }).programs.flatMap(({ checks }) => checks);

test('a result may be stated on the same line, on the next one, or on several', () => {
  expect(
    checksOf(
      "slug('a b'); //=> 'a-b'",
      "console.log(slug('a'))",
      "// → 'a'",
      'const all = [slug("b")];',
      '// => [',
      "//   'b'",
      '// ]',
    ),
  ).toEqual([
    { line: 5, column: 18, call: "slug('a b')", stated: "'a-b'" },
    { line: 7, column: 5, call: "slug('a')", stated: "'a'" },
    { line: 9, column: 6, call: '[slug("b")]', stated: "[\n   'b'\n ]" },
  ]);
});

test.each([
  ['a description', "slug('a'); //=> the slug"],
  ['an abbreviation', "slug('a'); //=> ['a', ...]"],
  ['a computed result', "slug('a'); //=> slug('b')"],
  ['an instance', "slug('a'); //=> [Object]"],
  ['a result that depends on the start of the program', 'slug(process.argv[2]); //=> "a"'],
  ['several values', "console.log(slug('a'), slug('b')); //=> 'a'"],
  ['a result with a condition', "// On Windows:\nslug('a'); //=> 'a'"],
  ['a result that differs each time', "slug.random(); //=> 'a'"],
  ['a result above the next statement', "slug('a');\n// Returns 'b'\nslug('b');"],
  ['a literal', "['a']; //=> ['b']"],
  ['several results in a row', "slug.log('a');\n//=> 'a'\n//=> 'b'"],
  [
    'what is printed while the example waits',
    "slug.on('end', () => console.log('end'));\nawait slug.done;\n//=> 'end'",
  ],
  ['a comment without a mark', "slug('a'); // 'a'"],
])('%s is not compared', (_, line) => {
  expect(checksOf(line)).toEqual([]);
});

test('a block without imports gets those of earlier blocks that it uses, unless they are ambiguous', () => {
  const blocks = (...codes: readonly string[]) => codes.map((code) => `\`\`\`ts\n${code}\n\`\`\`\n`).join('\n');
  const text = blocks(
    "import slug from 'slug';",
    "const fs = require('fs');",
    'slug("a") //=> "a"',
    "import slug from 'slug/lite';",
    'slug("b") //=> "b"',
  );
  const plan = planExamples({
    path: 'README.md',
    text,
    packageName: null,
    codePath: null,
    isAtPackageRoot: true,
  });
  expect(plan.programs).toHaveLength(1);
  expect(plan.programs[0]!.code).toContain("import slug from 'slug';");
  expect(plan.programs[0]!.code).not.toContain('fs');
  expect(plan.leftOut).toEqual([
    { path: 'README.md', line: 18, reason: 'Earlier blocks import slug in more than one way.' },
  ]);
});

test('only closed blocks of JavaScript and TypeScript count, in lists as well', () => {
  const text = '```sh\na\n```\n- ~~~js\n  x\n  ~~~\n  ```js title="a"\n  y\n  ```\n```js\nopen\n';
  expect(findCodeBlocks(text)).toEqual([
    { code: 'x', line: 5, columns: [2] },
    { code: 'y', line: 8, columns: [2] },
  ]);
});

test.each([
  ["'a'", 'a'],
  ['"a";', 'a'],
  ['[1, 2]', [1, 2]],
  ['{ a: 1 }', { a: 1, b: 2 }],
  ['{ a: [{ b: null }] }', { a: [{ b: null, c: 1 }] }],
  ['0.33', 1 / 3],
  ['0.3', 0.1 + 0.2],
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['0', -0],
  ['{"a": {}}', '{"a":{}}'],
  [String.raw`'\(a\)'`, String.raw`\(a\)`],
])('%s states %j', (stated, value) => {
  expect(compareResult(stated, value)).toEqual({ outcome: 'same' });
});

test.each([
  ["'a'", 'b', "'b'"],
  ['"a"', 'b"c', '"b\\"c"'],
  ["'a'", "it's", "'it\\'s'"],
  ["[ 'a' ]", ['b', 1], "[ 'b', 1 ]"],
  ["['a']", ['b'], "['b']"],
  ['{a: 1}', { a: 2, 'b-c': {} }, "{a: 2, 'b-c': {}}"],
  ['{ a: 1 }', { b: 1 }, '{ b: 1 }'],
  ['{}', { a: 1 }, '{ a: 1 }'],
  ['[1]', [1, 2], '[1, 2]'],
  ['1', 1.4, '1.4'],
  ['0.33', 0.34, '0.34'],
  ['true', undefined, 'undefined'],
])('%s does not state %j, which is written as %s', (stated, value, actual) => {
  expect(compareResult(stated, value)).toEqual({ outcome: 'wrong', actual });
});

test.each([[new Map()], [[() => 1]], [Symbol('a')], [new Date(0)], ['x'.repeat(300)]])(
  'whether %o is as stated is unknown',
  (value) => {
    expect(compareResult("'a'", value)).toMatchObject({ outcome: 'unknown' });
  },
);
