// Where a test of an untested file goes, and how it is written.

import { expect, test } from 'vitest';
import { createCharacterizationTest } from '../../../server/src/core/propose/characterization/testText.ts';
import { findSubject } from '../../../server/src/core/propose/characterization/subject.ts';
import { chooseTestPlace } from '../../../server/src/core/propose/characterization/testPlace.ts';
import { memoryTree, opportunityAt } from './recipeCase.ts';

const slug = 'export function slug(title: string): string {\n  return title;\n}\n';
const seen = [
  { call: 'slug("A b")', answer: '"a-b"', promised: false },
  { call: 'slug("it\'s")', answer: '["it", "s"]', promised: false },
];

function written(files: Readonly<Record<string, string>>, path = 'src/slug.ts') {
  const place = chooseTestPlace(memoryTree({ [path]: slug, ...files }), path);
  return 'refused' in place
    ? place.refused
    : { [place.path]: createCharacterizationTest(place, { name: 'slug', exportedAs: 'slug' }, seen) };
}

const comment = '// As measured, to notice when it changes; whether it should be so is for a person to say.';

test('beside the file, by vitest, with the endings of the neighbours', () => {
  expect(
    written({
      'src/other.spec.ts':
        "import { expect, it } from 'vitest';\nimport { other } from './other.ts';\n\nit('works', () => {\n  expect(other()).toBe(1);\n});\n",
    }),
  ).toEqual({
    'src/slug.spec.ts': `import { expect, it } from 'vitest';\nimport { slug } from './slug.ts';\n\n${comment}\nit('slug answers as it does now', () => {\n  expect(slug('A b')).toBe('a-b');\n  expect(slug("it's")).toEqual(['it', 's']);\n});\n`,
  });
});

test('in the folder of tests, by jest with globals, double quotes, without semicolons', () => {
  expect(
    written({
      'package.json': '{ "devDependencies": { "jest": "1" } }',
      'test/lib/other.test.ts':
        'import { other } from "../../src/other"\n\ntest("works", () => {\n\texpect(other()).toBe(1)\n})\n',
    }),
  ).toEqual({
    'test/lib/slug.test.ts': `import { slug } from "../../src/slug"\n\n${comment}\ntest("slug answers as it does now", () => {\n\texpect(slug("A b")).toBe("a-b")\n\texpect(slug("it's")).toEqual(["it", "s"])\n})\n`,
  });
});

test.each([
  ['src/slug/index.ts', 'test/slug.test.ts'],
  ['src/index.ts', 'test/index.test.ts'],
  ['lib/index.ts', 'test/index.test.ts'],
])('the test of %s in a folder of tests is %s', (path, expected) => {
  const example = `import { expect, test } from 'vitest';\nimport { other } from '../${path.replace('index', 'other')}';\ntest('other', () => expect(other()).toBe(1));\n`;
  expect(Object.keys(written({ 'test/other.test.ts': example }, path))).toEqual([expected]);
});

test('the test of an index file beside it is called index', () => {
  const example =
    "import { expect, test } from 'vitest';\nimport { other } from './other';\ntest('other', () => expect(other()).toBe(1));\n";
  expect(Object.keys(written({ 'src/slug/other.test.ts': example }, 'src/slug/index.ts'))).toEqual([
    'src/slug/index.test.ts',
  ]);
});

test('by the runner of Node, of code that is imported by what it is compiled to', () => {
  expect(
    written({
      'src/__tests__/other.test.ts':
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { other } from '../other.js';\ntest('works', () => assert.equal(other(), 1));\n",
    }),
  ).toEqual({
    'src/__tests__/slug.test.ts': `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { slug } from '../slug.js';\n\n${comment}\ntest('slug answers as it does now', () => {\n  assert.equal(slug('A b'), 'a-b');\n  assert.deepEqual(slug("it's"), ['it', 's']);\n});\n`,
  });
});

test.each([
  ['nobody shows where', {}, 'No test of a file beside it'],
  ['there is one already', { 'src/slug.test.ts': 'test', 'src/other.test.ts': "import 'vitest';" }, 'is there already'],
  [
    'nobody knows by what',
    { 'src/other.test.ts': "import { other } from './other';\n" },
    'It is not known what runs the tests',
  ],
])('refused where %s', (_, files, reason) => {
  expect(written(files)).toContain(reason);
});

test('only an exported function with a body is a subject, and nothing but it is touched', () => {
  const marker = { line: 1, endLine: 3, symbol: 'slug' };
  expect(findSubject(opportunityAt('', 'src/slug.ts', slug, marker), slug)).toEqual({
    name: 'slug',
    touchedText: slug.replace('{\n', '{ debugger; \n'),
  });
  const inner = slug.replace('export ', '');
  expect(findSubject(opportunityAt('', 'src/slug.ts', inner, marker), inner)).toEqual({
    refused: expect.stringContaining('no longer an exported function'),
  });
});
