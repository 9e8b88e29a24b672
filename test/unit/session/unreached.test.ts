// Which files a person has to look at because no import reaches them, and that ordinary sources go on as before.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { isJudge } from '../../../server/src/core/session/verify/judgeFiles.ts';
import { findUnreachedFiles } from '../../../server/src/core/session/verify/unreachedFiles.ts';
import { contextOf, type Tree } from '../../helpers/contextOfTree.ts';
import names from '../../fixtures/paths/loadedByName.json' with { type: 'json' };

const never = new AbortController().signal;

/** An edit of each path that there is; of another one a new file. */
async function asked(tree: Tree, edits: Readonly<Record<string, string | null>>): Promise<string[]> {
  const made = Object.entries(edits).map(([path, after]): FileEdit => ({ path, before: tree[path] ?? null, after }));
  return (await findUnreachedFiles(await contextOf(tree), made, never)).map(({ path }) => path);
}

const touched = (tree: Tree, paths: readonly string[]) =>
  asked(tree, Object.fromEntries(paths.map((path) => [path, `${tree[path]}\n`])));

const PACKAGE: Tree = {
  'package.json': '{ "name": "shop", "type": "module", "exports": "./src/index.ts" }',
  'src/index.ts': "export { total } from './cart.ts';\n",
  'src/cart.ts': 'export const total = (prices: number[]) => prices.length;\n',
  'test/cart.test.ts': "import { total } from '../src/cart.ts';\nimport { helper } from '../src/helper.ts';\n",
  'src/helper.ts': 'export const helper = 1;\n',
  'src/alone.ts': 'export const alone = 1;\n',
};

test('the list holds as many names as were tried, each once', () => {
  expect(names.length).toBeGreaterThanOrEqual(124);
  expect(new Set(names).size).toBe(names.length);
});

// `src/index.ts` imports all of them that are code: being imported does not make a name that tools know harmless.
test('each name that runs or instructs asks a person, there already or new', async () => {
  const text = (path: string) => (/\.[cm]?[jt]s$/.test(path) ? 'export const a = 1;\n' : 'a line\n');
  const others = Object.fromEntries(names.map((name) => [name, text(name)]));
  const there = await touched({ ...PACKAGE, ...others }, names);
  expect(names.filter((name) => !there.includes(name) && !isJudge(name))).toEqual([]);
  const fresh = await asked(PACKAGE, others);
  expect(names.filter((name) => !fresh.includes(name) && !isJudge(name))).toEqual([]);
});

test.each(['xo.config.js', 'src/setupTests.ts', 'jest-preset.config.ts', 'tools/conftest.py'])(
  'an import does not make %s harmless',
  async (name) => {
    const tree = { ...PACKAGE, 'src/index.ts': `import '../${name}';\n`, [name]: 'export const a = 1;\n' };
    expect(await touched(tree, [name])).toEqual([name]);
  },
);

test('what an export or a test reaches goes on, what nothing reaches asks', async () => {
  expect(await touched(PACKAGE, ['src/index.ts', 'src/cart.ts', 'src/helper.ts', 'src/alone.ts'])).toEqual([
    'src/alone.ts',
  ]);
});

test('an import that the change brings along does not make a file reached that is there', async () => {
  const edits = {
    'src/index.ts': "export { alone } from './alone.ts';\n",
    'src/alone.ts': 'export const alone = 2;\n',
  };
  expect(await asked(PACKAGE, edits)).toEqual(['src/alone.ts']);
});

test('a new file has to be imported by one that is reached', async () => {
  const index = "export { total } from './cart.ts';\nexport { rate } from './rate.ts';\n";
  const rate = 'export const rate = 1;\n';
  expect(await asked(PACKAGE, { 'src/index.ts': index, 'src/rate.ts': rate })).toEqual([]);
  expect(await asked(PACKAGE, { 'src/rate.ts': rate })).toEqual(['src/rate.ts']);
  const chained = { 'src/alone.ts': "export { rate } from './rate.ts';\n", 'src/rate.ts': rate };
  expect(await asked(PACKAGE, chained)).toEqual(['src/alone.ts', 'src/rate.ts']);
});

test('packages of a workspace, pages, and what pages start', async () => {
  const tree: Tree = {
    'package.json': '{ "private": true, "workspaces": ["packages/*", "apps/*"] }',
    'packages/a/package.json': '{ "name": "@shop/a", "main": "dist/index.js" }',
    'packages/a/src/index.ts': "export * from './deep/cart';\n",
    'packages/a/src/deep/cart.ts': 'export const cart = 1;\n',
    'apps/web/package.json': '{ "name": "web", "private": true }',
    'apps/web/index.html': '<script type="module" src="/src/main.tsx"></script>\n',
    'apps/web/src/main.tsx': "import { App } from './App';\n",
    'apps/web/src/App.tsx': 'export const App = () => null;\n',
    'apps/web/vite.config.ts': "import { plugin } from './build/plugin.ts';\n",
    'apps/web/build/plugin.ts': 'export const plugin = 1;\n',
  };
  const code = Object.keys(tree).filter((path) => /\.tsx?$/.test(path));
  expect(await touched(tree, code)).toEqual([
    'apps/web/src/main.tsx',
    'apps/web/vite.config.ts',
    'apps/web/build/plugin.ts',
  ]);
});

test('what a script of the manifest runs asks, what it imports goes on', async () => {
  const tree: Tree = {
    'package.json': '{ "name": "shop", "main": "index.js", "scripts": { "lint": "node scripts/lint.js" } }',
    'index.js': '',
    'scripts/lint.js': "import { rules } from './rules.js';\n",
    'scripts/rules.js': 'export const rules = [];\n',
  };
  expect(await touched(tree, ['index.js', 'scripts/lint.js', 'scripts/rules.js'])).toEqual(['scripts/lint.js']);
});

test('packages of Python, Go and Rust', async () => {
  const tree: Tree = {
    'pyproject.toml': '[project]\nname = "shop"\n',
    'shop/__init__.py': '',
    'shop/cart.py': 'total = 1\n',
    'shop/manage.py': 'import shop\n',
    'loose.py': 'a = 1\n',
    'go.mod': 'module example.com/shop\n',
    'cart/cart.go': 'package cart\n',
    'cart/gen.go': '//go:build ignore\n\npackage main\n',
    'cart/made.go': '//go:build ignore\n\npackage main\n',
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/lib.rs': 'mod cart;\n',
    'src/cart.rs': 'pub fn total() {}\n',
    'build.rs': 'fn main() {}\n',
  };
  const code = Object.keys(tree).filter((path) => /\.(py|go|rs)$/.test(path));
  expect(await touched(tree, code)).toEqual(['shop/manage.py', 'loose.py', 'cart/gen.go', 'cart/made.go', 'build.rs']);
});

// What is used elsewhere, what nobody uses, and what a tool looks for though somebody uses it.
test.each<readonly [string, Tree, readonly string[]]>([
  [
    'Java',
    {
      'src/main/java/shop/Cart.java': 'package shop;\n\npublic class Cart {\n  int total() {\n    return 1;\n  }\n}\n',
      'src/main/java/shop/Till.java':
        'package shop;\n\nclass Till {\n  int sum() {\n    return new Cart().total();\n  }\n}\n',
      'buildSrc/src/Rates.java': 'package shop.rates;\n\npublic class Rates {\n  static int rate = 1;\n}\n',
      'src/main/java/shop/Uses.java':
        'package shop;\n\nimport shop.rates.Rates;\n\nclass Uses {\n  int r = Rates.rate;\n}\n',
    },
    ['src/main/java/shop/Till.java', 'buildSrc/src/Rates.java', 'src/main/java/shop/Uses.java'],
  ],
  [
    'C#',
    {
      'Shop/Cart.cs': 'namespace Shop;\n\npublic class Cart\n{\n    public int Total() => 1;\n}\n',
      'App/Program.cs':
        'using Shop;\n\nnamespace App;\n\nclass Program\n{\n    static int Run() => new Cart().Total();\n}\n',
      'build/Rates.cs': 'namespace Shop;\n\npublic class Rates\n{\n    public int One() => 1;\n}\n',
      'App/Uses.cs': 'using Shop;\n\nclass Uses\n{\n    int r = new Rates().One();\n}\n',
    },
    ['App/Program.cs', 'build/Rates.cs', 'App/Uses.cs'],
  ],
  [
    'PHP',
    {
      'composer.json': '{ "autoload": { "psr-4": { "Shop\\\\": "src/" } } }',
      'src/Cart.php': '<?php\nnamespace Shop;\n\nclass Cart {\n  public function total() {\n    return 1;\n  }\n}\n',
      'src/Till.php':
        '<?php\nnamespace Shop;\n\nuse Shop\\Cart;\n\nclass Till {\n  function sum() {\n    return (new Cart())->total();\n  }\n}\n',
      'config/rates.php': '<?php\nclass Rates {\n  static function one() {\n    return 1;\n  }\n}\n',
      'src/Uses.php': "<?php\nrequire '../config/rates.php';\n\nfunction uses() {\n  return Rates::one();\n}\n",
    },
    ['src/Till.php', 'config/rates.php', 'src/Uses.php'],
  ],
  [
    'Ruby',
    {
      'lib/shop.rb': "require_relative 'shop/cart'\n\ndef sum\n  Cart.new.total\nend\n",
      'lib/shop/cart.rb': 'class Cart\n  def total\n    1\n  end\nend\n',
      'config/rates.rb': 'class Rates\n  def self.one\n    1\n  end\nend\n',
      'lib/uses.rb': "require_relative '../config/rates'\n\ndef uses\n  Rates.one\nend\n",
    },
    ['lib/shop.rb', 'config/rates.rb', 'lib/uses.rb'],
  ],
])('in %s what code elsewhere uses goes on', async (_language, tree, expected) => {
  const code = Object.keys(tree).filter((path) => !path.endsWith('.json'));
  expect((await touched(tree, code)).toSorted()).toEqual(expected.toSorted());
});

test('what a Composer library autoloads goes on where its text agrees', async () => {
  const manifest = {
    name: 'shop/shop',
    autoload: { 'psr-4': { 'Shop\\': 'src/' }, classmap: ['legacy/'], files: ['src/functions.php'] },
    'autoload-dev': { 'psr-4': { 'Shop\\Dev\\': 'dev/' } },
    extra: { provider: 'Shop\\Started' },
  };
  const php = (space: string, kind: string) =>
    `<?php\n\n${space === '' ? '' : `namespace ${space};\n\n`}${kind}\n{\n}\n`;
  const tree: Tree = {
    'composer.json': JSON.stringify(manifest),
    'src/Cart.php': php('Shop', 'final class Cart'),
    'src/Deep/Rates.php': php('Shop\\Deep', 'interface Rates'),
    'src/functions.php': '<?php\n\nfunction total() {\n  return 1;\n}\n',
    'legacy/Till.php': php('', 'class Till'),
    'src/Other.php': php('Shop', 'class Another'),
    'src/Deep/Wrong.php': php('Shop', 'class Wrong'),
    'src/Started.php': php('Shop', 'class Started'),
    'src/loose.php': "<?php\necho 'a';\n",
    'dev/Tool.php': php('Shop\\Dev', 'class Tool'),
    'src/bootstrap.php': php('Shop', 'class bootstrap'),
    'away/Gone.php': php('Shop', 'class Gone'),
  };
  const code = Object.keys(tree).filter((path) => path.endsWith('.php'));
  expect(await touched(tree, code)).toEqual(code.slice(4));
  const fresh = { 'src/Fresh.php': php('Shop', 'class Fresh') };
  expect(await asked(tree, fresh)).toEqual(['src/Fresh.php']);
  for (const type of ['project', 'composer-plugin']) {
    const other: Tree = { ...tree, 'composer.json': JSON.stringify({ ...manifest, type }) };
    expect(await touched(other, ['src/Cart.php', 'legacy/Till.php'])).toEqual(['src/Cart.php', 'legacy/Till.php']);
  }
});

test('a use that the change brings along, and a name that two files define, prove nothing', async () => {
  const cart = 'package shop;\n\npublic class Cart {\n  int total() {\n    return 1;\n  }\n}\n';
  const till = 'package shop;\n\nclass Till {\n}\n';
  const using = 'package shop;\n\nclass Till {\n  Cart cart = new Cart();\n}\n';
  const tree = { 'a/Cart.java': cart, 'a/Till.java': till };
  expect(await asked(tree, { 'a/Cart.java': `${cart}\n`, 'a/Till.java': using })).toEqual([
    'a/Cart.java',
    'a/Till.java',
  ]);
  const twice: Tree = { 'a/Cart.rb': 'class Cart\nend\n', 'b/Cart.rb': 'class Cart\nend\n', 'c.rb': 'Cart.new\n' };
  expect(await touched(twice, ['a/Cart.rb', 'b/Cart.rb'])).toEqual(['a/Cart.rb', 'b/Cart.rb']);
});

test('where it cannot be told what reaches a file, a person is asked', async () => {
  const tree: Tree = { 'src/cart.c': 'int total;\n', 'lib/cart.lua': 'return 1\n', 'a.css': 'a {}\n' };
  expect(await touched(tree, Object.keys(tree))).toEqual(Object.keys(tree));
});
