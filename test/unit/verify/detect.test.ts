// package.json and file names → the commands that the gates run.

import { expect, test } from 'vitest';
import {
  formatTypedLine,
  findWordsToRun,
  type DetectedCommand,
} from '../../../server/src/core/verify/detect/command.ts';
import { detectLint } from '../../../server/src/core/verify/detect/lintCommand.ts';
import { describeProject, type PackageText } from '../../../server/src/core/verify/detect/project.ts';
import { detectTests } from '../../../server/src/core/verify/detect/testCommand.ts';
import { detectTypes } from '../../../server/src/core/verify/detect/typesCommand.ts';

interface Given {
  readonly scripts?: Record<string, string>;
  readonly manifest?: string;
  readonly packageManager?: string;
  readonly tsconfig?: string;
  readonly pyproject?: string;
  readonly packages?: readonly PackageText[];
  readonly files?: readonly string[];
  readonly setting?: string;
}

function projectOf({ scripts, manifest, packageManager, tsconfig, pyproject, packages = [], files = [] }: Given) {
  const made = scripts || packageManager ? JSON.stringify({ scripts, packageManager }) : null;
  return describeProject(
    { manifest: manifest ?? made, tsconfig: tsconfig ?? null, pyproject: pyproject ?? null, packages },
    files,
  );
}

const line = (command: DetectedCommand | null) => command && formatTypedLine(command);
const bin = (...names: string[]) => names.map((name) => `node_modules/.bin/${name}`);

test('types', () => {
  const check = (given: Given, expected: string | null) =>
    expect(line(detectTypes(projectOf(given), given.setting ?? '')), JSON.stringify(given)).toBe(expected);
  check({}, null);
  check({ manifest: 'not json' }, null);
  check({ manifest: '[]' }, null);
  check({ setting: ' make types ', scripts: { typecheck: 'tsc' } }, 'make types');
  check({ scripts: { typecheck: 'tsc --noEmit' } }, 'npm run typecheck');
  check({ scripts: { 'type-check': 'turbo type-check' }, packageManager: 'pnpm@10.1.0' }, 'pnpm run type-check');
  check({ scripts: { tsc: 'tsc' }, files: ['yarn.lock'] }, 'yarn run tsc');
  check({ scripts: { typecheck: 'tsc --noEmit --watch' } }, null);
  check({ scripts: { check: 'tsc -p . && tsc -p webview' } }, 'npm run check');
  check({ scripts: { check: 'biome check . && tsc' } }, null);
  check({ scripts: { types: 'tsc --noEmit' } }, 'npm run types');
  check({ scripts: { types: 'node generate-types.js' } }, null);
  check({ tsconfig: '{}' }, null);
  check({ tsconfig: '{}', files: bin('tsc') }, 'tsc --noEmit -p tsconfig.json --pretty false');
  check({ tsconfig: '{}', files: bin('tsc', 'vue-tsc') }, 'vue-tsc --noEmit -p tsconfig.json --pretty false');
  check(
    { tsconfig: '// all\n{ "files": [], /* none */ "references": [\n{ "path": "./a" },], }', files: bin('tsc') },
    'tsc -b --pretty false',
  );
  check(
    { tsconfig: '{ "include": ["src"], "references": [{ "path": "./a" }] }', files: bin('tsc') },
    'tsc -b --pretty false',
  );
  // Without `-b`, a solution without files of its own is found clean, whatever its projects hold.
  const solution = { tsconfig: '{ "files": [], "references": [{ "path": "./a" }] }', files: bin('tsc') };
  for (const script of ['tsc', 'tsc --noEmit', 'npx tsc --noEmit --pretty false'])
    check({ ...solution, scripts: { typecheck: script } }, 'tsc -b --pretty false');
  check({ ...solution, scripts: { types: 'tsc --noEmit' } }, 'tsc -b --pretty false');
  check({ ...solution, scripts: { typecheck: 'tsc --noEmit', tsc: 'tsc -b' } }, 'npm run tsc');
  for (const script of ['tsc -b --noEmit', 'tsc --noEmit -p a', 'tsc && tsc -p a'])
    check({ ...solution, scripts: { typecheck: script } }, 'npm run typecheck');
  check({ tsconfig: '{ "files": [] }', scripts: { typecheck: 'tsc --noEmit' }, files: bin('tsc') }, null);
  check({ files: bin('tsc') }, null);
  const manifest = JSON.stringify({ devDependencies: { typescript: '^5.0.0' } });
  check({ manifest, tsconfig: '{}', files: ['.pnp.cjs'] }, 'yarn run tsc --noEmit -p tsconfig.json --pretty false');
  check({ manifest: '{}', tsconfig: '{}', files: ['.pnp.cjs'] }, null);
});

test('lint', () => {
  const check = (given: Given, paths: readonly string[], expected: string | null | 'no linter') => {
    const linter = detectLint(projectOf(given), given.setting ?? '');
    expect(linter ? line(linter.command(paths)) : 'no linter', JSON.stringify(given)).toBe(expected);
  };
  const touched = ['src/a.ts', 'README.md', '-b.js'];
  check({}, touched, 'no linter');
  check({ setting: 'make lint' }, touched, 'make lint');
  check({ files: ['eslint.config.mjs'] }, touched, 'no linter');
  check({ files: bin('eslint') }, touched, 'no linter');
  check(
    { files: ['eslint.config.mjs', ...bin('eslint')] },
    touched,
    'eslint --format json --no-error-on-unmatched-pattern -- src/a.ts -b.js',
  );
  check({ files: ['.eslintrc.json', ...bin('eslint')], scripts: { lint: 'other' } }, ['README.md'], null);
  check(
    { manifest: '{"eslintConfig": {}}', files: bin('eslint') },
    ['a.js'],
    'eslint --format json --no-error-on-unmatched-pattern -- a.js',
  );
  check(
    { files: ['biome.json', ...bin('biome')] },
    touched,
    'biome lint --reporter=json --max-diagnostics=none --no-errors-on-unmatched src/a.ts ./-b.js',
  );
  check({ files: ['.oxlintrc.json', ...bin('oxlint')] }, touched, 'oxlint --format json src/a.ts ./-b.js');
  check({ files: bin('xo'), scripts: { test: 'xo && ava' } }, touched, 'xo --reporter=json src/a.ts ./-b.js');
  check({ files: bin('xo'), manifest: '{"xo": {"rules": {}}}' }, ['a.js'], 'xo --reporter=json a.js');
  check(
    { files: ['xo.config.js', 'eslint.config.js', ...bin('xo', 'eslint')] },
    ['a.js'],
    'eslint --format json --no-error-on-unmatched-pattern -- a.js',
  );
  check({ files: bin('xo') }, touched, 'no linter');
  check({ scripts: { lint: 'standard' }, files: ['bun.lock'] }, touched, 'bun run lint');
  for (const mending of ['eslint . --fix', 'biome check --write', 'xo --fix && echo'])
    check({ scripts: { lint: mending } }, touched, 'no linter');
  check({ scripts: { lint: 'eslint . --fix-dry-run' } }, touched, 'no linter');
});

test('tests', () => {
  const check = (given: Given, expected: string | null) =>
    expect(line(detectTests(projectOf(given), given.setting ?? '')), JSON.stringify(given)).toBe(expected);
  check({}, null);
  check({ setting: 'make test', scripts: { test: 'vitest' } }, 'make test');
  check({ scripts: { test: 'vitest run' } }, 'npm run test');
  check({ scripts: { test: 'vitest run' }, files: ['pnpm-lock.yaml'] }, 'pnpm run test');
  check({ scripts: { test: 'vitest run' }, files: ['yarn.lock'], packageManager: 'npm@11.0.0' }, 'npm run test');
  check({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }, null);
  const inPackages = { workspaces: ['packages/*'], scripts: { test: 'echo "Error: no test specified" && exit 1' } };
  const packages = [{ folder: 'packages/a', manifest: '{"scripts": {"test": "vitest run"}}' }];
  const ofWorkspaces = { manifest: JSON.stringify(inPackages), packages };
  check(ofWorkspaces, 'npm run test --workspaces --if-present');
  check({ ...ofWorkspaces, files: ['go.mod'] }, 'go test -v ./...');
  check({ ...ofWorkspaces, files: ['Cargo.toml'] }, 'cargo test --no-fail-fast --offline');
  check(
    { ...ofWorkspaces, pyproject: '[tool.pytest.ini_options]\n' },
    'pytest -p no:cacheprovider --continue-on-collection-errors',
  );
  check({ ...ofWorkspaces, packages: [] }, null);
  check({ ...ofWorkspaces, packages: [{ folder: 'other/a', manifest: packages[0]!.manifest }] }, null);
  check({ ...ofWorkspaces, packages: [{ folder: 'packages/a', manifest: JSON.stringify(inPackages) }] }, null);
  check({ manifest: JSON.stringify({ ...inPackages, scripts: { test: 'vitest run' } }) }, 'npm run test');
  check({ ...ofWorkspaces, files: ['yarn.lock'] }, null);
  check({ scripts: { test: '' } }, null);
  check({ scripts: { test: 'npm run test:unit && playwright test', 'test:unit': 'vitest run' } }, 'npm run test:unit');
  check({ scripts: { test: 'jest', 'test:unit': 'jest --watch' } }, 'npm run test');
  check(
    { scripts: { test: 'echo "Error: no test specified" && exit 1' }, files: ['Cargo.toml'] },
    'cargo test --no-fail-fast --offline',
  );
  check({ files: ['go.mod'] }, 'go test -v ./...');
  check({ files: ['test_*.py'] }, 'pytest -p no:cacheprovider --continue-on-collection-errors');
  check({ files: ['conftest.py'] }, 'pytest -p no:cacheprovider --continue-on-collection-errors');
  check({ pyproject: '[tool.pytest.ini_options]\n' }, 'pytest -p no:cacheprovider --continue-on-collection-errors');
  check({ pyproject: '[project]\nname = "x"\n' }, null);
  check(
    { pyproject: '[project]\nname = "x"\n', files: ['tests'] },
    'pytest -p no:cacheprovider --continue-on-collection-errors',
  );
  check({ files: ['setup.py', 'test'] }, 'pytest -p no:cacheprovider --continue-on-collection-errors');
  check({ scripts: {}, files: ['setup.py', 'test'] }, null);
});

test.each<[Record<string, string>, string]>([
  [{ test: 'vitest watch src', 'test-ci': 'vitest run src' }, 'npm run test-ci'],
  [{ test: 'vitest watch src' }, 'vitest run src'],
  [{ test: 'vitest dev' }, 'vitest run'],
  [{ test: 'vitest --watch' }, 'vitest'],
  [{ test: 'jest --watchAll', 'test:ci': 'jest --ci' }, 'npm run test:ci'],
  [{ test: 'jest --watchAll=true --silent' }, 'jest --silent'],
  [{ test: 'jest --watchAll=false' }, 'npm run test'],
  [{ test: 'jest -w 2' }, 'npm run test'],
  [{ test: 'mocha -w test' }, 'mocha test'],
  [{ test: 'npm run unit', unit: 'ava --watch' }, 'ava'],
  [{ test: 'npm run build && vitest watch', build: 'node build.js' }, 'node build.js && vitest run'],
  [{ test: 'vitest run watch' }, 'npm run test'],
])('a test script that watches files is run once: %j', (scripts, expected) => {
  expect(line(detectTests(projectOf({ scripts }), ''))).toBe(expected);
});

test('what has a gate of its own is left out of a chained test script', () => {
  const check = (
    test: string,
    expected: string,
    scripts: Record<string, string> = {},
    files: readonly string[] = ['eslint.config.js', ...bin('eslint', 'xo', 'tsc')],
  ) => expect(line(detectTests(projectOf({ scripts: { ...scripts, test }, files }), '')), test).toBe(expected);
  const noEslint = bin('xo', 'tsc');
  check(
    "xo && tsc --noEmit && NODE_OPTIONS='--import=tsx/esm' ava",
    "NODE_OPTIONS='--import=tsx/esm' ava",
    {},
    noEslint,
  );
  check('eslint . && mocha && tsd', 'mocha && tsd');
  check('npx eslint . && node_modules/.bin/vue-tsc --noEmit -p . && mocha', 'mocha');
  check('oxlint src && mocha', 'mocha', {}, ['.oxlintrc.json', ...bin('oxlint')]);
  check('oxlint src && mocha', 'npm run test', {}, bin('oxlint'));
  check('biome lint && mocha', 'mocha', {}, ['biome.json', ...bin('biome')]);
  for (const words of ['check', 'ci .', 'format src', 'check --write src', 'format --write'])
    check(`biome ${words} && mocha`, 'mocha', {}, ['biome.json', ...bin('biome')]);
  check('biome migrate && mocha', 'npm run test', {}, ['biome.json', ...bin('biome')]);
  check('biome check && mocha', 'npm run test', {}, ['biome.json', 'eslint.config.js', ...bin('biome', 'eslint')]);
  check('biome format && mocha', 'npm run test', {}, ['biome.json', '.prettierrc', ...bin('biome', 'prettier')]);
  check('standard --fix && mocha', 'npm run test');
  check("run-s lint 'l[i]nt' && mocha", 'npm run test', { lint: 'eslint .' });
  check('run-s -x lint && mocha', 'npm run test', { lint: 'eslint .' });
  check('npm run lint && npm run build && jest', 'tsc && jest', { lint: 'eslint src', build: 'tsc' });
  check('jest', 'node gen.js && jest', { pretest: 'npm run lint && node gen.js', lint: 'eslint src' });
  check('eslint . && jest', 'jest && node report.js', { posttest: 'node report.js' });
  check('npm run lint && mocha', 'node gen.js && mocha', { lint: 'eslint .', prelint: 'node gen.js' });
  check('pnpm lint && vitest run', 'prettier -c src && vitest run', { lint: 'eslint . && prettier -c src' });
  check('pnpm run "/^test:.*/"', 'prettier . --list-different && vitest run', {
    'test:format': 'prettier . --list-different',
    'test:types': 'tsc --noEmit',
    'test:lint': 'eslint .',
    'test:spec': 'vitest run',
  });
  check('run-s lint check:* build', 'node size.js && rollup -c && jest', {
    lint: 'eslint .',
    'check:types': 'tsc --noEmit',
    'check:size': 'node size.js',
    'check:size:deep': 'node deep.js',
    build: 'rollup -c',
    posttest: 'jest',
  });
  check('npm-run-all -p "check:**" && mocha', 'node size.js && node deep.js && mocha', {
    'check:types': 'tsc --noEmit',
    'check:size': 'node size.js',
    'check:size:deep': 'node deep.js',
  });
  check('pnpm lint && vitest run', 'vitest run', { lint: 'eslint . && prettier -c src' }, [
    'eslint.config.js',
    '.prettierrc',
    ...bin('eslint', 'prettier'),
  ]);
  check('prettier --write . && vitest run', 'vitest run', {}, ['.prettierrc', ...bin('prettier')]);
  check('remark . -qfo && xo --fix && mocha', 'mocha', {}, bin('xo'));
  check('remark . --frail && mocha', 'npm run test');
  // What writes may complete what was generated, unless it writes everywhere.
  const prettier = ['.prettierrc', ...bin('prettier')];
  for (const writer of ['prettier --write src/generated', 'eslint --fix test/out', 'remark out --output'])
    check(`node make.js && ${writer} && jest`, 'npm run test', {}, ['eslint.config.js', ...prettier, ...bin('eslint')]);
  check('node make.js && prettier --check src && jest', 'node make.js && jest', {}, prettier);
  check('prettier --write src && node make.js && jest', 'node make.js && jest', {}, prettier);
  check('prettier --write . && git diff --exit-code && jest', 'npm run test', {}, prettier);
  check(
    'npm run build && npm run format && mocha',
    'tsc --build --clean && tsc --build && type-coverage && mocha',
    {
      build: 'tsc --build --clean && tsc --build && type-coverage',
      format: 'remark --frail --output --quiet -- . && prettier --log-level warn --write -- . && xo --fix',
    },
    [...prettier, ...bin('xo')],
  );
  check('tsc --build && prettier --write src && mocha', 'tsc --build && mocha', {}, prettier);
  check('prettier --check . && vitest run', 'npm run test', {}, ['.prettierrc']);
  // No gate runs these, or they make what the tests need: the script stays as it is.
  check('prettier --check . && mocha', 'npm run test');
  check('tsc && mocha', 'npm run test');
  check('tsc -p tsconfig.spec.json && vitest --run', 'npm run test');
  check('eslint . --fix && mocha', 'mocha');
  check('xo && ava', 'npm run test');
  check('eslint . && mocha', 'npm run test', {}, []);
  check('eslint .', 'npm run test');
  check('eslint . && mocha | tee log', 'npm run test');
  check('npm run lint && mocha', 'npm run test', { lint: 'npm run lint' });
  check('pnpm run "/(/" && eslint . && mocha', 'pnpm run "/(/" && mocha');
  check('run-s nothing:* && npm ci && eslint . && mocha', 'run-s nothing:* && npm ci && mocha');
  check('CI=1 npm run lint && yarn lint --quiet && mocha', 'npm run test', { lint: 'eslint .' });
});

test('without its package manager a script is the programs that it comes to', () => {
  const plain = (scripts: Record<string, string>) =>
    findWordsToRun(detectTests(projectOf({ scripts }), '')!, false).command[0];
  expect(
    plain({
      pretest: 'yarn build',
      build: 'tsup',
      test: 'vitest run && yarn test:build',
      'test:build': 'yarn build && vitest run -c b.ts',
    }),
  ).toBe('tsup && vitest run && tsup && vitest run -c b.ts');
  expect(plain({ test: 'pnpm constructor && mocha' })).toBe('constructor && mocha');
  expect(plain({ test: 'pnpm vitest run && npx mocha && npm exec tap' })).toBe('vitest run && mocha && tap');
  expect(plain({ test: 'pnpm install && npx --yes cowsay hi' })).toBe('pnpm install && npx --yes cowsay hi');
  expect(plain({ test: 'mocha | tee log' })).toBe('mocha | tee log');
});
