// The repository's own linters as recipes, with the real ESLint, Biome and oxlint in a real sandbox.

import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxOf, type SandboxOf } from '../../adapters/sandbox/sandboxOf.ts';
import { improveSentence } from '../../../server/src/core/session/analyse/possibleWorkText.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';
import { manifestOf } from '../../helpers/manifest.ts';

const ours = join(import.meta.dirname, '..', '..', '..', 'node_modules');
const programs = {
  eslint: 'eslint/bin/eslint.js',
  biome: '@biomejs/biome/bin/biome',
  oxlint: 'oxlint/bin/oxlint',
} as const;
type Program = keyof typeof programs;

const configs: Readonly<Record<Program, Readonly<Record<string, string>>>> = {
  eslint: {
    'eslint.config.mjs':
      "export default [{ rules: { 'no-var': 'error', 'prefer-const': 'error', 'no-undef-init': 'error' } }];\n",
  },
  biome: {
    'biome.json':
      '{ "formatter": { "enabled": false }, "linter": { "rules": { "style": { "useConst": "error" }, ' +
      '"complexity": { "useArrowFunction": "error" } } } }\n',
  },
  oxlint: { '.oxlintrc.json': '{ "rules": { "no-var": "error", "prefer-const": "error" } }\n' },
};
const source = `/** The sum of a list. */
export function sum(list) {
  var total = 0;
  for (const one of list) total += one;
  let doubled = list.map(function (one) { return one * 2; });
  return doubled.length + total;
}
`;
const suite =
  "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from './a.js';\n" +
  "test('sum', () => {\n  var expected = 3 + 2;\n  assert.equal(sum([1, 2]), expected);\n});\n";

async function world(program: Program, more: Readonly<Record<string, string>> = {}) {
  const files = {
    '.gitignore': 'node_modules\n',
    'package.json': manifestOf('linted'),
    'src/a.js': source,
    'src/a.test.js': suite,
    ...configs[program],
    ...more,
  };
  const given = await sandboxOf(files);
  await install(given, program);
  const world = await createSessionWorld(files);
  return {
    world,
    session: (options: Parameters<typeof world.session>[0] = {}) =>
      world.session({ change: () => ({ sandbox: given.sandbox }), ...options }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await given[Symbol.asyncDispose]();
    },
  };
}

async function install({ repository }: SandboxOf, program: Program): Promise<void> {
  const [name = ''] = programs[program].split('/bin/');
  await mkdir(dirname(join(repository.dir, 'node_modules', name)), { recursive: true });
  await mkdir(join(repository.dir, 'node_modules', '.bin'), { recursive: true });
  await symlink(join(ours, name), join(repository.dir, 'node_modules', name));
  await symlink(`../${programs[program]}`, join(repository.dir, 'node_modules', '.bin', program));
}

test.each([
  [
    'eslint',
    ['lint/eslint/no-var', 'lint/eslint/prefer-const'],
    'lint/eslint/prefer-const',
    'let doubled = list.map(',
    'const doubled = list.map(',
  ],
  [
    'biome',
    ['lint/biome/complexity/useArrowFunction', 'lint/biome/style/useConst'],
    'lint/biome/complexity/useArrowFunction',
    'function (one) { return one * 2; }',
    '(one) => one * 2',
  ],
  [
    'oxlint',
    ['lint/oxlint/eslint/no-var', 'lint/oxlint/eslint/prefer-const'],
    'lint/oxlint/eslint/no-var',
    'var total',
    'let total',
  ],
] as const)('%s: what it can mend is found, and one rule is mended alone', async (program, rules, rule, from, to) => {
  await using given = await world(program);
  const session = await given.session();
  await session.analysis.analyse({ signal: never });
  const { opportunities, trouble, looked } = await session.analysis.lint({ signal: never });
  // The test file has a flaw as well, and judges: it is left alone.
  expect({ rules: opportunities.map((one) => `${one.path} ${one.rule}`).sort(), trouble, looked }).toEqual({
    rules: rules.map((id) => `src/a.js ${id}`),
    trouble: [],
    looked: 1,
  });
  expect(await session.analysis.lint({ signal: never })).toMatchObject({ looked: 0, opportunities });
  const { proposal } = await session.proposals.propose({
    opportunity: opportunities.find((one) => one.rule === rule)!.id,
    signal: never,
  });
  expect(proposal?.edits).toEqual([{ path: 'src/a.js', before: source, after: source.replace(from, to) }]);
  expect(proposal).toMatchObject({
    recipe: 'linter-fix',
    safety: rule.endsWith('prefer-const') ? 'behaviorPreserving' : 'behaviorChanging',
  });
});

test('a fix that earns no points is verified when the linter finds less, and asks a person', async () => {
  await using given = await world('eslint');
  const session = await given.session({
    settings: { 'charter.approval': 'minimal', 'verify.differentialSeconds': 0, 'verify.guardSeconds': 0 },
  });
  await session.analysis.analyse({ signal: never });
  const { opportunities } = await session.analysis.lint({ signal: never });
  const { proposal } = await session.proposals.propose({
    opportunity: opportunities.find(({ rule }) => rule === 'lint/eslint/no-var')!.id,
    signal: never,
  });
  const verified = await session.verification.verify(proposal!.id, { signal: never });
  expect(verified.verdicts.map(({ gate, outcome }) => `${gate} ${outcome}`)).toEqual(
    expect.arrayContaining(['score unknown', 'lint passed']),
  );
  expect(verified).toMatchObject({ status: 'verified', pointsBefore: { total: verified.pointsAfter?.total } });
  expect(verified.verdicts.find(({ gate }) => gate === 'lint')).toMatchObject({
    evidence: { problemsBefore: 2, problems: 1 },
  });
  expect(await session.proposals.explainNeedToAsk(proposal!.id)).not.toBeNull();
});

test('a linter that is configured and not installed: what improving would do says why it found nothing', async () => {
  const files = { 'package.json': '{ "type": "module" }\n', 'ruff.toml': '', 'src/a.py': 'import os\n' };
  await using given = await sandboxOf(files);
  await using world = await createSessionWorld(files);
  const session = await world.session({ change: () => ({ sandbox: given.sandbox }) });
  await session.analysis.analyse({ signal: never });
  const told = async () => improveSentence((await session.status()).doable);
  expect(await told()).not.toContain('failed');
  await session.analysis.lint({ signal: never });
  expect(await told()).toBe(
    'Nothing else is left to try, and the last attempt to ask a linter failed. ' +
      'Ruff is configured here, but `ruff` is not installed.',
  );
});

test('a linter whose configuration needs a missing package: it is named without the path of the sandbox, and what to do', async () => {
  await using given = await world('eslint', { 'eslint.config.mjs': "export { default } from 'eslint-config-gone';\n" });
  const session = await given.session();
  await session.analysis.analyse({ signal: never });
  const { trouble } = await session.analysis.lint({ signal: never });
  expect(trouble).toEqual([
    expect.stringMatching(
      /^ESLint cannot run here, because a package is missing\. It says: .*'eslint-config-gone' imported from eslint\.config\.mjs\. Install the packages of the repository\.$/,
    ),
  ]);
});

test('nothing is run where it is switched off or not trusted', async () => {
  await using given = await world('oxlint');
  const off = await given.session({ settings: { 'analysis.linters': false } });
  await off.analysis.analyse({ signal: never });
  expect(await off.analysis.lint({ signal: never })).toEqual({
    opportunities: [],
    linters: [],
    looked: 0,
    trouble: ['Switched off by the setting selfware.analysis.linters.'],
  });
  await off.close();
  const untrusted = await given.session({ trusted: false });
  await expect(untrusted.analysis.lint({ signal: never })).rejects.toMatchObject({ reason: 'untrusted' });
});

test('what has no fix is listed too, a few files of each rule, and stays in the list', async () => {
  const names = ['b', 'c', 'd', 'e'];
  await using given = await world('eslint', {
    'eslint.config.mjs': "export default [{ rules: { 'no-var': 'error', 'no-eval': 'error' } }];\n",
    'src/a.js': 'export const a = eval("1") + eval("2");\n',
    ...Object.fromEntries(names.map((name) => [`src/${name}.js`, `export const ${name} = eval("1");\n`])),
    'src/f.js': 'export const f = () => {\n  var one = 1;\n  return one;\n};\n',
  });
  const session = await given.session();
  await session.analysis.analyse({ signal: never });
  const { opportunities } = await session.analysis.lint({ signal: never });
  const lines = opportunities.map(({ path, rule, recipe, message }) => `${path} ${rule} ${recipe}: ${message}`);
  expect(lines).toEqual([
    'src/f.js lint/eslint/no-var linter-fix: f.js: ESLint can fix this: Unexpected var, use let or const instead.',
    'src/a.js lint/eslint/no-eval null: a.js: ESLint finds 2 of these: `eval` can be harmful.',
    'src/b.js lint/eslint/no-eval null: b.js: ESLint: `eval` can be harmful.',
    'src/c.js lint/eslint/no-eval null: c.js: ESLint: `eval` can be harmful. (and in 2 more files)',
  ]);
  const shown = async (paths?: readonly string[]) =>
    (await session.opportunities.shown(paths)).filter(({ rule }) => rule.startsWith('lint/')).map(({ path }) => path);
  expect((await shown()).toSorted()).toEqual(['src/a.js', 'src/b.js', 'src/c.js', 'src/f.js']);
  // An editor shows the findings of a linter in the file by itself.
  expect(await shown(['src/a.js'])).toEqual([]);
  expect((await session.status()).doable.linterFixes).toBe(1);

  // What is hidden for another reason takes no room in the list.
  const evals = opportunities.find(({ path }) => path === 'src/a.js')!;
  await session.opportunities.dismiss({ opportunity: evals.id, kind: 'notAProblem', reason: null });
  expect((await shown()).toSorted()).toEqual(['src/b.js', 'src/c.js', 'src/d.js', 'src/f.js']);
  // A baseline accepts also what the list has no room for.
  await session.opportunities.baseline('create');
  expect(await shown()).toEqual([]);
  await session.opportunities.baseline('remove');
  expect(await shown()).toHaveLength(4);

  given.world.tree.set('eslint.config.mjs', 'export default [];\n');
  await session.analysis.analyse({ signal: never });
  expect(await shown()).toEqual([]);
  expect((await session.status()).doable.linterFixes).toBeNull();
});
