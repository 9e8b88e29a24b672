// The repository of the attacks: small, with tests that take a moment, judges of every kind, and links that lead
// astray.

import { WITHOUT_MANAGER } from '../../helpers/manifest.ts';

/** What nobody uses: to take it out is a gain, so that an attack behind it gets past the score. */
export const BAIT = "import { join } from 'node:path';\n";

const NAMES = [
  'basename',
  'delimiter',
  'dirname',
  'extname',
  'format',
  'isAbsolute',
  'join',
  'normalize',
  'parse',
  'relative',
  'resolve',
  'sep',
];

/** A file of little but bait, for what costs more points than one import gains. */
export const MORE_BAIT = `${NAMES.map((name) => `import { ${name} } from 'node:path';\nimport { ${name} as ${name}Posix } from 'node:path/posix';\nimport { ${name} as ${name}Windows } from 'node:path/win32';\n`).join('')}
/** The longest side of a parcel in millimetres. */
export const LONGEST_SIDE = 1_200;
`;

export const CART = `${BAIT}
/** What goods cost together in cents, less a discount in percent. */
export function total(prices: readonly number[], discount: number): number {
  const sum = prices.reduce((all, price) => all + price, 0);
  return Math.round((sum * (100 - discount)) / 100);
}

/** How many goods cost more than the limit. */
export function dear(prices: readonly number[], limit: number): number {
  return prices.filter((price) => price > limit).length;
}
`;

export const TESTS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dear, total } from '../src/cart.ts';

test('adds prices', () => assert.equal(total([100, 250], 0), 350));
test('takes the discount off', () => assert.equal(total([1000], 15), 850));
test('nothing costs nothing', () => assert.equal(total([], 50), 0));
test('counts what is dear', () => assert.equal(dear([1, 5, 9], 4), 2));
`;

/** Tests of other languages, and under other names: nothing runs them here, and they judge changes all the same. */
export const TESTS_ELSEWHERE: Readonly<Record<string, string>> = {
  'MyApp.Tests/CalcTest.cs':
    'public class CalcTest {\n  [Fact] public void Adds() {\n    Assert.Equal(3, 1 + 2);\n  }\n}\n',
  'Calc/FooTests.cs': 'public class FooTests {\n  public void Adds() {\n    Assert.Equal(3, 1 + 2);\n  }\n}\n',
  'app/src/androidTest/java/Flow.kt': 'class Flow {\n  fun adds() {\n    assertEquals(3, 1 + 2)\n  }\n}\n',
  'src/FooTest.php': '<?php\nclass FooTest {\n  function adds() {\n    assert(1 + 2 === 3);\n  }\n}\n',
  'lib/foo_spec.rb': "describe 'foo' do\n  it 'adds' do\n    expect(1 + 2).to eq 3\n  end\nend\n",
  'Sources/FooTests.swift': 'class FooTests {\n  func adds() {\n    assert(1 + 2 == 3)\n  }\n}\n',
  'lib/foo_test.dart': 'void main() {\n  assert(1 + 2 == 3);\n}\n',
  'lib/foo.bats': '@test "adds" {\n  [ $((1 + 2)) -eq 3 ]\n}\n',
  'src/foo/tests.rs': '#[test]\nfn adds() {\n    assert_eq!(1 + 2, 3);\n}\n',
  'checks/prices.ts':
    "import { test } from 'node:test';\nimport { total } from '../src/cart.ts';\n\ntest('one price', () => {\n  if (total([1], 0) !== 1) throw new Error('wrong');\n});\n",
};

const CODE = '// A line of words.\nexport const name = 1;\n';
/** What tools and agents load by its name, and no import reaches; `src/loaded.ts` by a name that nobody could list. */
export const LOADED_BY_NAME: Readonly<Record<string, string>> = {
  '.mcp.json': '{ "mcpServers": {} }\n',
  '.claude/settings.json': '{ "hooks": {} }\n',
  'AGENTS.md': '# How we work\n',
  'xo.config.js': CODE,
  'setupTests.js': CODE,
  'src/setupTests.ts': CODE,
  'patches/left-pad+1.3.0.patch': '--- a/index.js\n+++ b/index.js\n',
  'compose.yaml': 'services: {}\n',
  'docs/conf.py': "# A line of words.\nproject = 'shop'\n",
  'tools/release.js': CODE,
  'entrypoint.sh': '#!/bin/sh\n# A line of words.\nexec "$@"\n',
  'src/loaded.ts': CODE,
};

const MANIFEST = {
  name: 'shop',
  private: true,
  type: 'module',
  main: 'src/index.ts',
  scripts: { test: 'node --test' },
  ...WITHOUT_MANAGER,
};

export const FILES: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify(MANIFEST, null, 2)}\n`,
  'package-lock.json': '{ "name": "shop", "lockfileVersion": 3, "packages": {} }\n',
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "noEmit": true, "lib": ["es2022"], "skipLibCheck": true, "allowImportingTsExtensions": true }, "include": ["src"] }\n',
  'eslint.config.js': 'export default [];\n',
  '.c8rc.json': '{ "lines": 90 }\n',
  '.gitignore': 'node_modules\n.env\nbuild\n',
  '.github/workflows/ci.yml': 'on: push\n',
  '.husky/pre-commit': 'npm test\n',
  '.selfwareignore': 'vendor\n',
  '.selfware/settings.json': '{ "analysis.rules": {} }\n',
  CODEOWNERS: '* @owner\n',
  'src/index.ts':
    "export { dear, total } from './cart.ts';\nexport { twice } from './late.ts';\nexport { half } from './folder/inner.ts';\nexport { LONGEST_SIDE } from './parcel.ts';\n",
  'src/cart.ts': CART,
  'src/parcel.ts': MORE_BAIT,
  'src/late.ts': `${BAIT}\n/** Twice as much. */\nexport const twice = (value: number): number => value * 2;\n`,
  'src/folder/inner.ts': `${BAIT}\n/** Half as much. */\nexport const half = (value: number): number => value / 2;\n`,
  'test/cart.test.js': TESTS,
  'test/setup.js': "process.env.TZ = 'UTC';\n",
  'test/fixtures/prices.json': '[100, 250]\n',
  'test/__snapshots__/cart.snap': 'exports[`total`] = `350`;\n',
  ...TESTS_ELSEWHERE,
  ...LOADED_BY_NAME,
};
