// Creates a small JavaScript project without dependencies. Each file has one function with a needless `else`, which a
// recipe can remove with a proof, and tests that really run.

import { manifestOf } from './manifest.ts';

const source = (name: string) => `/** Grades a number. */
export function ${name}(value) {
  if (value >= 90) {
    return 'A';
  } else {
    const best = 100;
    const half = best / 2;
    const good = value >= half;
    const mark = good ? 'B' : 'C';
    return mark;
  }
}
`;

const testOf = (name: string) =>
  [
    "import test from 'node:test';",
    "import assert from 'node:assert';",
    `import { ${name} } from '../src/${name}.js';`,
    `test('${name}', () => assert.deepStrictEqual([95, 60, 5].map(${name}), ['A', 'B', 'C']));`,
    '',
  ].join('\n');

/** The files `src/NAME.js` and `test/NAME.test.js` for each name, and settings that switch on the rule for the flaw. */
export function gradesProject(names: readonly string[]): Readonly<Record<string, string>> {
  return {
    '.selfware/settings.json': '{"analysis.rules": {"else-after-return": "hint"}}',
    'package.json': manifestOf('grades'),
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`src/${name}.js`, source(name)],
        [`test/${name}.test.js`, testOf(name)],
      ]),
    ),
  };
}
