// Ranges of npm: which versions they allow, compared with npm's own library, and how an updated one is written.

import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { allowsVersion } from '../../../server/src/core/setup/updates/versionRanges.ts';
import { createPinnedSpec, createStyledSpec } from '../../../server/src/core/setup/updates/writtenRanges.ts';

/** The library of npm, which is installed with the linter. */
const { satisfies } = createRequire(import.meta.url)('semver') as {
  satisfies(version: string, range: string): boolean;
};

const versions = ['0.0.0', '0.0.1', '0.0.2', '0.1.0', '0.2.3', '0.3.0', '1.0.0', '1.2.2', '1.2.3', '1.2.9', '1.10.0'];
const later = ['2.0.0', '2.1.0', '3.0.0', '10.0.0'];
const bases = ['0', '0.0', '0.0.1', '0.1', '0.2.3', '1', '1.2', '1.2.3', '1.x', '1.2.*', '2.0.0', 'v1.2.3', '*', 'x'];
const operators = ['', '=', '^', '~', '~>', '>', '>=', '<', '<=', '>= ', '^ '];
const compound = [
  '',
  '>=1 <2',
  '>1.2.3 <=2.1',
  '^1.0.0 || ^2.0.0',
  '1.2.3 || 3.x',
  '1.2 - 2.0',
  '1.2.3 - 2',
  '~1.2 || *',
];
const ranges = [...bases.flatMap((base) => operators.map((operator) => `${operator}${base}`)), ...compound];

test('a range allows the versions that it allows for npm', () => {
  const answers = ranges.flatMap((range) =>
    [...versions, ...later].map((version) => ({ range, version, allowed: allowsVersion(range, version) })),
  );
  expect(answers).toEqual(
    answers.map(({ range, version }) => ({ range, version, allowed: satisfies(version, range) })),
  );
});

test('a tag allows what the lock file has, and what is no range allows nothing', () => {
  expect([allowsVersion('latest', '1.2.3'), allowsVersion('file:../a', '1.2.3')]).toEqual([true, false]);
});

test.each([
  ['1.2.3', '', '2.0.0'],
  ['=1.2.3', '', '2.0.0'],
  ['~1.2.3', '', '~2.0.0'],
  ['^1', 'save-prefix="~"\n', '^2.0.0'],
  ['>=1 <2', '', '^2.0.0'],
  ['1.x', "save-prefix='~'\n", '~2.0.0'],
  ['1.x', 'save-prefix=\n', '2.0.0'],
  ['^1.2.3', 'save-exact=true\n', '2.0.0'],
  ['npm:@scope/real@~1.2.0', '', 'npm:@scope/real@~2.0.0'],
  ['npm:real@1.2.0', '', 'npm:real@2.0.0'],
])('the range of an updated dependency keeps its style: %s with %j', (spec, npmrc, written) => {
  expect(createStyledSpec(spec, '2.0.0', npmrc)).toBe(written);
  expect(createPinnedSpec(spec, '2.0.0')).toBe(written.replace(/[~^]/, ''));
});
