// What may be touched, under every name that a file can have.

import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkingTree } from '../../../server/src/adapters/files/workingTree.ts';
import { createCharter } from '../../../server/src/core/charter/charter.ts';
import { safetyPathsOfSelfware } from '../../../server/src/core/charter/protectedPaths.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';

const tree = {
  'src/a.ts': 'a',
  'package.json': '{}',
  'modules/inner/.git/HEAD': 'x',
  'modules/inner/b.ts': 'b',
  'main.ts': 'm',
  'docs/über.md': 'u',
};
const links = {
  'src/manifest.txt': '../package.json',
  'src/out.txt': '/etc/passwd',
  linked: 'src',
  gitdir: '.git',
  'src/loop': 'loop',
  'src/root': '..',
};
const files = createMemoryFiles(tree, { links });

function charterWith(protectedPaths: readonly string[]) {
  return createCharter({ files, protectedPaths, approval: 'strict', maxChanges: 10 });
}

async function check(
  path: string,
  allowed: boolean,
  protectedPaths: readonly string[] = ['/main.ts', 'secret/**'],
): Promise<void> {
  const answer = await charterWith(protectedPaths).check([{ path }]);
  if (allowed) expect(answer).toEqual({ allowed: true, resolved: [path] });
  else expect(answer).toEqual({ allowed: false, path, reason: expect.stringMatching(/may not be changed\. .+\.$/s) });
}

test('a file that a program starts with is protected, and that is the reason given', async () => {
  const charter = createCharter({
    files,
    protectedPaths: [],
    entryPoints: ['src/a.ts'],
    approval: 'strict',
    maxChanges: 1,
  });
  for (const path of ['src/a.ts', 'SRC/A.TS'])
    expect(await charter.check([{ path }])).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('a program of this repository starts there'),
    });
  expect(await charter.check([{ path: 'linked/a.ts' }])).toMatchObject({
    allowed: false,
    reason: expect.stringContaining('It leads to src/a.ts, which is protected: a program'),
  });
  expect(await charter.check([{ path: 'main.ts' }])).toMatchObject({ allowed: true });
});

test.each([
  'src/a.ts',
  'src/new.ts',
  'new/folder/b.ts',
  'src/main.ts',
  'docs/über.md',
  'src/environment.ts',
  'src/github/index.ts',
  'app/[id]/page.tsx',
  'src/package.ts',
  'src/build/out.ts',
  'src/$value.ts',
  'a b/c d.ts',
  'src/keys.ts',
  'lib/git.ts',
  '.storybook/preview.ts',
])('may be changed: %s', (path) => check(path, true));

test.each([
  ...['.git/config', '.git/hooks/pre-commit', 'src/.git/x', '.gitignore', 'sub/.gitattributes', '.husky/pre-commit'],
  ...['.github/workflows/ci.yml', '.gitlab-ci.yml', '.ci/run', '.ci', 'Jenkinsfile', '.circleci/config.yml'],
  ...[
    'package.json',
    'packages/one/package.json',
    'package-lock.json',
    'yarn.lock',
    'pnpm-lock.yaml',
    'node_modules/x/index.js',
    'Cargo.toml',
    'crates/a/Cargo.lock',
    'go.mod',
    'go.sum',
    'pyproject.toml',
    'setup.py',
    'requirements-dev.txt',
  ],
  ...[
    'tsconfig.json',
    'tsconfig.build.json',
    'webview/tsconfig.json',
    'eslint.config.mjs',
    '.eslintrc',
    '.eslintrc.json',
    'biome.json',
    'vitest.config.ts',
    'jest.config.js',
    'vite.config.ts',
    'esbuild.mjs',
    'conftest.py',
    'Makefile',
    'CMakeLists.txt',
    '.editorconfig',
  ],
  ...[
    'Dockerfile',
    'Dockerfile.dev',
    'docker-compose.yml',
    '.npmrc',
    '.env',
    '.env.local',
    'config/.env.production',
    '.selfware/charter.json',
    '.vscode/settings.json',
    'cert.pem',
    '.ssh/id_rsa',
  ],
  ...['main.ts', 'secret/a/b.ts'],
])('is protected: %s', (path) => check(path, false));

test.each([
  // Letter case and Unicode.
  ...[
    'PACKAGE.JSON',
    'Package.Json',
    '.GIT/config',
    '.Github/workflows/a.yml',
    'MAIN.ts',
    'ｐackage.json',
    '.ｇit/config',
    'docs/u\u0308ber.md',
    '.g\u200cit/config',
    'pac\u00adkage.json',
    'tſconfig.json',
    'pacKage.json',
  ],
  // Detours, absolute paths, other systems.
  ...[
    './package.json',
    'src/../package.json',
    'src//a.ts',
    'src/./a.ts',
    'src/a.ts/',
    '../outside.ts',
    '..',
    '.',
    '',
    '/etc/passwd',
    '/repository/src/a.ts',
    'src\\a.ts',
    '..\\x',
    'C:/x',
    'c:x',
    'src/a.ts::$DATA',
    'src/a.ts:stream',
    'a\0b',
  ],
  ...[
    'package.json.',
    'package.json ',
    '.git /config',
    '.git./config',
    'src/a.ts.',
    ' package.json',
    'GIT~1/config',
    'PACKAG~1.JSO',
    'src/new\nline.ts',
  ],
  // Links and other repositories.
  ...[
    'src/manifest.txt',
    'src/out.txt',
    'linked/a.ts',
    'linked/new.ts',
    'gitdir/config',
    'src/loop',
    'src/root',
    'src/root/src/a.ts',
    'modules/inner/b.ts',
    'modules/inner/deep/new.ts',
  ],
])('is refused whatever it is called: %j', (path) => check(path, false));

test.each([
  ['package.json', 'It is protected.'],
  ['src/manifest.txt', 'It leads to package.json, which is protected.'],
  ['linked/a.ts', 'It leads through a symbolic link.'],
  ['src/out.txt', 'It leads out of the repository.'],
  ['src/root', 'It leads out of the repository.'],
  ['modules/inner/deep/new.ts', 'modules/inner is a separate repository.'],
])('a person is told why %s may not be changed: %s', async (path, reason) => {
  expect(await charterWith([]).check([{ path }])).toEqual({
    allowed: false,
    path,
    reason: `${path} may not be changed. ${reason}`,
  });
});

test.each([
  ['a link that leads back to its own name', { path: 'src/a.ts', throughLink: true }, 'a symbolic link'],
  ['a file that the disk knows by another name', { path: 'src/A.ts', throughLink: false }, 'another name of src/A.ts'],
  ['the root', { path: '', throughLink: false }, 'out of the repository'],
  ['nowhere', null, 'out of the repository'],
])('a path is refused if it leads to %s', async (_what, place, reason) => {
  const charter = createCharter({
    files: { ...files, resolve: async () => place },
    protectedPaths: [],
    approval: 'strict',
    maxChanges: 1,
  });
  expect(await charter.check([{ path: 'src/a.ts' }])).toMatchObject({
    allowed: false,
    path: 'src/a.ts',
    reason: expect.stringContaining(reason),
  });
});

test('settings add to what is built in, and cannot take away', async () => {
  await check('package.json', false, ['!package.json', '!**', '!*']);
  await check('docs/über.md', false, ['docs/u\u0308ber.md']);
  await check('src/deep/x.generated.ts', false, ['*.generated.ts']);
  await check('src/deep/x.ts', true, ['*.generated.ts']);
  await check('src/A.TS', false, ['src/a.ts']);
});

test('its own safety code is protected in its own repository alone', async () => {
  for (const path of [
    'server/src/core/charter/charter.ts',
    'server/src/core/apply/new.ts',
    'server/src/core/verify/gates/tests/gate.ts',
    'server/src/core/ledger/ledger.ts',
    'server/src/core/rules/allFinders.ts',
    'server/src/core/rules/allProjectFinders.ts',
    'server/src/core/rules/needless-copy/find.ts',
    'server/src/core/rules/needless-copy/rule.ts',
    'server/src/core/rules/needless-copy/new.ts',
    'server/src/core/analysis/shared/loops.ts',
    'server/src/core/analysis/nodeChecks.ts',
    'server/src/core/syntax/complexityPoints.ts',
    'server/src/core/model/gates.ts',
    'server/src/core/score/ruler.ts',
    'server/src/cli.ts',
  ]) {
    await check(path, false, safetyPathsOfSelfware);
    await check(path, true, []);
  }
  // Recipes do not count: Selfware may improve them itself.
  for (const path of [
    'index/parse/chunk.ts',
    'rules/collapsible-if/applyRecipe.ts',
    'recipes/remove-copy/applyRecipe.ts',
  ])
    await check(`server/src/core/${path}`, true, safetyPathsOfSelfware);
});

test('one forbidden edit forbids all, and no file is edited twice', async () => {
  const charter = charterWith([]);
  expect(await charter.check([{ path: 'src/a.ts' }, { path: 'src/b.ts' }])).toEqual({
    allowed: true,
    resolved: ['src/a.ts', 'src/b.ts'],
  });
  expect(await charter.check([{ path: 'src/a.ts' }, { path: '.env' }])).toMatchObject({ allowed: false, path: '.env' });
  expect(await charter.check([{ path: 'src/a.ts' }, { path: 'src/a.ts' }])).toMatchObject({
    allowed: false,
    path: 'src/a.ts',
  });
  expect(await charter.check([{ path: 'src/a.ts' }, { path: 'src/A.ts' }])).toMatchObject({ allowed: true });
  const folding = createCharter({
    files: createMemoryFiles(tree, { caseInsensitive: true }),
    protectedPaths: [],
    approval: 'strict',
    maxChanges: 1,
  });
  expect(await folding.check([{ path: 'src/a.ts' }, { path: 'src/A.ts' }])).toMatchObject({ allowed: false });
});

test('what cannot be looked at is refused', async () => {
  const blind = { ...files, resolve: () => Promise.reject(new SelfwareError('unreadable', 'No permission.')) };
  const charter = createCharter({ files: blind, protectedPaths: [], approval: 'strict', maxChanges: 1 });
  expect(await charter.check([{ path: 'src/a.ts' }])).toMatchObject({
    allowed: false,
    reason: expect.stringContaining('No permission'),
  });
});

test('links on a real disk', async () => {
  const repository = await createTemporaryRepository(tree);
  await symlink('../package.json', join(repository.dir, 'src/link.ts'));
  await symlink('/tmp', join(repository.dir, 'temporary'));
  await mkdir(join(repository.dir, 'other'));
  await symlink('../.git', join(repository.dir, 'other/dir'));
  const charter = createCharter({
    files: await createWorkingTree(repository.dir),
    protectedPaths: [],
    approval: 'strict',
    maxChanges: 1,
  });
  for (const path of ['src/link.ts', 'temporary/x.ts', 'other/dir/config'])
    expect(await charter.check([{ path }]), path).toMatchObject({ allowed: false, path });
  expect(await charter.check([{ path: 'src/a.ts' }])).toMatchObject({ allowed: true });
  await repository.dispose();
});

test.each([
  ['a name of 256 bytes', `src/${'ü'.repeat(128)}`, false],
  ['one of 255', `src/${'ü'.repeat(127)}a`, true],
  ['a path of more than 1,000 bytes', `${'folder/'.repeat(143)}a.ts`, false],
])('%s', (_what, path, allowed) => check(path, allowed));
