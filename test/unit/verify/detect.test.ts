// package.json and file names → the commands that the gates run.

import { expect, test } from 'vitest';
import { shown, type DetectedCommand } from '../../../server/src/core/verify/detect/command.ts';
import { detectLint } from '../../../server/src/core/verify/detect/lintCommand.ts';
import { describeProject } from '../../../server/src/core/verify/detect/project.ts';
import { detectTests } from '../../../server/src/core/verify/detect/testCommand.ts';
import { detectTypes } from '../../../server/src/core/verify/detect/typesCommand.ts';

interface Given {
  readonly scripts?: Record<string, string>;
  readonly manifest?: string;
  readonly packageManager?: string;
  readonly tsconfig?: string;
  readonly pyproject?: string;
  readonly files?: readonly string[];
  readonly setting?: string;
}

function projectOf({ scripts, manifest, packageManager, tsconfig, pyproject, files = [] }: Given) {
  const made = scripts || packageManager ? JSON.stringify({ scripts, packageManager }) : null;
  return describeProject({ manifest: manifest ?? made, tsconfig: tsconfig ?? null, pyproject: pyproject ?? null }, files);
}

const line = (command: DetectedCommand | null) => command && shown(command);
const bin = (...names: string[]) => names.map((name) => `node_modules/.bin/${name}`);

test('types', () => {
  const check = (given: Given, expected: string | null) => expect(line(detectTypes(projectOf(given), given.setting ?? '')), JSON.stringify(given)).toBe(expected);
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
  check({ tsconfig: '// all\n{ "files": [], /* none */ "references": [\n{ "path": "./a" },], }', files: bin('tsc') }, 'tsc -b --pretty false');
  check({ tsconfig: '{ "include": ["src"], "references": [{ "path": "./a" }] }', files: bin('tsc') }, 'tsc --noEmit -p tsconfig.json --pretty false');
  check({ files: bin('tsc') }, null);
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
  check({ files: ['eslint.config.mjs', ...bin('eslint')] }, touched, 'eslint --format json --no-error-on-unmatched-pattern -- src/a.ts -b.js');
  check({ files: ['.eslintrc.json', ...bin('eslint')], scripts: { lint: 'other' } }, ['README.md'], null);
  check({ manifest: '{"eslintConfig": {}}', files: bin('eslint') }, ['a.js'], 'eslint --format json --no-error-on-unmatched-pattern -- a.js');
  check({ files: ['biome.json', ...bin('biome')] }, touched, 'biome lint --reporter=json --max-diagnostics=none --no-errors-on-unmatched src/a.ts ./-b.js');
  check({ files: ['.oxlintrc.json', ...bin('oxlint')] }, touched, 'oxlint --format json src/a.ts ./-b.js');
  check({ scripts: { lint: 'standard' }, files: ['bun.lock'] }, touched, 'bun run lint');
  for (const mending of ['eslint . --fix', 'biome check --write', 'xo --fix && echo']) check({ scripts: { lint: mending } }, touched, 'no linter');
  check({ scripts: { lint: 'eslint . --fix-dry-run' } }, touched, 'no linter');
});

test('tests', () => {
  const check = (given: Given, expected: string | null) => expect(line(detectTests(projectOf(given), given.setting ?? '')), JSON.stringify(given)).toBe(expected);
  check({}, null);
  check({ setting: 'make test', scripts: { test: 'vitest' } }, 'make test');
  check({ scripts: { test: 'vitest run' } }, 'npm run test');
  check({ scripts: { test: 'vitest run' }, files: ['pnpm-lock.yaml'] }, 'pnpm run test');
  check({ scripts: { test: 'vitest run' }, files: ['yarn.lock'], packageManager: 'npm@11.0.0' }, 'npm run test');
  check({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }, null);
  check({ scripts: { test: '' } }, null);
  check({ scripts: { test: 'npm run test:unit && playwright test', 'test:unit': 'vitest run' } }, 'npm run test:unit');
  check({ scripts: { test: 'jest', 'test:unit': 'jest --watch' } }, 'npm run test');
  check({ scripts: { test: 'echo "Error: no test specified" && exit 1' }, files: ['Cargo.toml'] }, 'cargo test --no-fail-fast --offline');
  check({ files: ['go.mod'] }, 'go test -v ./...');
  check({ files: ['conftest.py'] }, 'pytest -p no:cacheprovider');
  check({ pyproject: '[tool.pytest.ini_options]\n' }, 'pytest -p no:cacheprovider');
  check({ pyproject: '[project]\nname = "x"\n' }, null);
});
