// What may be touched, under every name that a file can have, and what needs a person.

import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkingTree } from '../../../server/src/adapters/files/workingTree.ts';
import { createCharter } from '../../../server/src/core/charter/charter.ts';
import { ownSafetyPaths } from '../../../server/src/core/charter/protectedPaths.ts';
import type { FileEdit, SafetyLevel, Verdict } from '../../../server/src/core/model.ts';
import type { ClaimKind } from '../../../server/src/core/model/claims.ts';
import { GATE_ORDER, type GateName } from '../../../server/src/core/model/gates.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { strengthOf } from '../../../server/src/core/verify/strength.ts';

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

function charterWith(protectedPaths: readonly string[], approval: 'strict' | 'moderate' | 'minimal' = 'strict') {
  return createCharter({
    files,
    protectedPaths,
    approval,
    maxChanges: 10,
    strengthOf,
    isOurs: (recipe) => recipe === 'ours',
  });
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
    await check(path, false, ownSafetyPaths);
    await check(path, true, []);
  }
  // Recipes do not count: Selfware may improve them itself.
  for (const path of ['index/parse/chunk.ts', 'rules/collapsible-if/realise.ts', 'recipes/remove-copy/realise.ts'])
    await check(`server/src/core/${path}`, true, ownSafetyPaths);
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

const verdicts = (outcomes: Partial<Record<GateName, Verdict['outcome'] | null>> = {}): Verdict[] =>
  GATE_ORDER.flatMap((gate) =>
    outcomes[gate] === null ? [] : [{ gate, outcome: outcomes[gate] ?? 'passed', reason: '', evidence: {}, millis: 0 }],
  );
const sameCode = (outcomes: Partial<Record<GateName, Verdict['outcome'] | null>>, files: number): Verdict[] =>
  verdicts(outcomes).map((verdict) =>
    verdict.gate === 'differential' ? { ...verdict, evidence: { identical: files } } : verdict,
  );
const noChecks = { types: 'unknown', lint: 'unknown', guard: 'unknown', differential: 'unknown' } as const;
const reached = (measured: readonly Verdict[], reachingFiles: number): Verdict[] =>
  measured.map((one) => (one.gate === 'tests' ? { ...one, evidence: { reachingFiles } } : one));
const lines = (count: number): FileEdit[] => [
  { path: 'a.ts', before: 'same\n', after: `same\n${'new\n'.repeat(count)}` },
];

test.each<[string, SafetyLevel, FileEdit[], Verdict[], readonly boolean[]]>([
  // [what, safety, edits, verdicts, needs approval at strict / moderate / minimal]
  ['a small harmless one', 'additive', lines(1), verdicts(), [true, false, false]],
  ['one that changes behaviour', 'behaviorChanging', lines(1), verdicts(), [true, false, false]],
  ['a critical one', 'critical', lines(1), verdicts(), [true, true, true]],
  ['100 lines', 'additive', lines(100), verdicts(), [true, false, false]],
  ['101 lines', 'additive', lines(101), verdicts(), [true, true, false]],
  [
    '60 lines replaced',
    'additive',
    [{ path: 'a', before: 'a\n'.repeat(60), after: 'b\n'.repeat(60) }],
    verdicts(),
    [true, true, false],
  ],
  ['101 lines in two files', 'additive', [...lines(60), ...lines(41)], verdicts(), [true, true, false]],
  [
    'a long file deleted',
    'additive',
    [{ path: 'a', before: 'a\n'.repeat(101), after: null }],
    verdicts(),
    [true, true, false],
  ],
  ['one that may not apply', 'additive', lines(1), verdicts({ applies: 'unknown' }), [true, true, true]],
  ['one that does not apply', 'additive', lines(1), verdicts({ applies: 'failed' }), [true, true, true]],
  ['one that was not seen to apply', 'additive', lines(1), verdicts({ applies: null }), [true, true, true]],
  ['one that may be forbidden', 'additive', lines(1), verdicts({ charter: 'unknown' }), [true, true, true]],
  ['one that was not seen to be allowed', 'additive', lines(1), verdicts({ charter: null }), [true, true, true]],
  ['a failed gate', 'additive', lines(1), verdicts({ lint: 'failed' }), [true, true, true]],
  ['tests unknown', 'additive', lines(1), verdicts({ tests: 'unknown' }), [true, true, true]],
  ['tests not run', 'additive', lines(1), verdicts({ tests: null }), [true, true, true]],
  ['tests unknown, and the same code', 'additive', lines(1), sameCode({ tests: 'unknown' }, 1), [true, false, false]],
  [
    'tests unknown, and the same code in one file of two',
    'additive',
    [...lines(1), ...lines(1)],
    sameCode({ tests: 'unknown' }, 1),
    [true, true, true],
  ],
  ['tests failed, and the same code', 'additive', lines(1), sameCode({ tests: 'failed' }, 1), [true, true, true]],
  ['tests not run, and the same code', 'additive', lines(1), sameCode({ tests: null }, 1), [true, true, true]],
  [
    'tests unknown, and another check that calls it the same code',
    'additive',
    lines(1),
    verdicts({ tests: 'unknown' }).map((one) => (one.gate === 'types' ? { ...one, evidence: { identical: 1 } } : one)),
    [true, true, true],
  ],
  [
    'tests unknown, and the same code that could not be compared',
    'additive',
    lines(1),
    sameCode({ tests: 'unknown', differential: 'unknown' }, 1),
    [true, true, true],
  ],
  [
    'score unknown, and the same code',
    'additive',
    lines(1),
    sameCode({ score: 'unknown', tests: 'unknown' }, 1),
    [true, true, true],
  ],
  ['score unknown', 'additive', lines(1), verdicts({ score: 'unknown' }), [true, true, true]],
  [
    'no linter and no types',
    'additive',
    lines(1),
    verdicts({ lint: 'unknown', types: 'unknown' }),
    [true, false, false],
  ],
  [
    'tests that are weak here, and a comparison',
    'behaviorPreserving',
    lines(1),
    verdicts({ guard: 'unknown' }),
    [true, false, false],
  ],
  [
    'code that could not be compared, and strong tests',
    'behaviorPreserving',
    lines(1),
    verdicts({ differential: 'unknown' }),
    [true, false, false],
  ],
  [
    'neither strong tests nor a comparison',
    'behaviorPreserving',
    lines(1),
    verdicts({ guard: 'unknown', differential: 'unknown' }),
    [true, true, true],
  ],
  [
    'neither of them tried',
    'behaviorChanging',
    lines(1),
    verdicts({ guard: null, differential: null }),
    [true, true, true],
  ],
  [
    'neither of them, where nothing runs',
    'additive',
    lines(1),
    verdicts({ guard: 'unknown', differential: 'unknown' }),
    [true, false, false],
  ],
  ['an unchecked one', 'additive', lines(1), verdicts(noChecks), [true, true, true]],
  ['tests that reach nothing of it', 'additive', lines(1), reached(verdicts(noChecks), 0), [true, true, true]],
  ['tests that reach it, and nothing else', 'additive', lines(1), reached(verdicts(noChecks), 1), [true, false, false]],
  [
    'a type check and nothing else',
    'additive',
    lines(1),
    verdicts({ ...noChecks, types: 'passed' }),
    [true, false, false],
  ],
  ['a linter and nothing else', 'additive', lines(1), verdicts({ ...noChecks, lint: 'passed' }), [true, false, false]],
  ['a difference', 'behaviorPreserving', lines(1), verdicts({ differential: 'failed' }), [true, true, true]],
  [
    'a difference that is meant, and strong tests',
    'behaviorChanging',
    lines(1),
    verdicts({ differential: 'unknown' }).map((verdict) =>
      verdict.gate === 'differential' ? { ...verdict, evidence: { call: 'f(1)' } } : verdict,
    ),
    [true, true, true],
  ],
  ['strong tests that did not run', 'behaviorPreserving', lines(1), verdicts({ tests: 'unknown' }), [true, true, true]],
  ['not verified', 'additive', lines(1), [], [true, true, true]],
])('approval for %s', (_what, safety, edits, measured, expected) => {
  const answers = (['strict', 'moderate', 'minimal'] as const).map(
    (approval) => charterWith([], approval).reasonToAsk({ recipe: 'ours', safety, edits, verdicts: measured }) !== null,
  );
  expect(answers).toEqual(expected);
});

test.each<
  [string, 'strict' | 'moderate' | 'minimal', Partial<Parameters<ReturnType<typeof charterWith>['reasonToAsk']>[0]>]
>([
  ['A person approves every change at the level “strict”.', 'strict', {}],
  ['It edits tests, settings or what a build reads.', 'minimal', { safety: 'critical' }],
  ['“brought” is not a recipe of', 'minimal', { safety: 'behaviorChanging', recipe: 'brought' }],
  [
    'The check “Tests” did not pass it: No tests were found.',
    'minimal',
    { verdicts: verdicts({ tests: 'unknown' }).map((one) => ({ ...one, reason: 'No tests were found.' })) },
  ],
  ['The check “Allowed here” was not tried.', 'minimal', { verdicts: verdicts({ charter: null }) }],
  ['The check “Tests” was not tried.', 'minimal', { verdicts: verdicts({ tests: null }) }],
  [
    '`f(1)` answers differently with it.',
    'minimal',
    { verdicts: verdicts().map((one) => (one.gate === 'differential' ? { ...one, evidence: { call: 'f(1)' } } : one)) },
  ],
  [
    'neither the comparison of old and new code nor mutants',
    'minimal',
    { verdicts: verdicts({ guard: 'unknown', differential: 'unknown' }) },
  ],
  ['It is unchecked: no test that reaches it', 'minimal', { safety: 'additive', verdicts: verdicts(noChecks) }],
  ['It changes more than 100 lines (level “moderate”).', 'moderate', { edits: lines(101) }],
])('a person is told why they are asked: %s', (reason, approval, change) => {
  expect(
    charterWith([], approval).reasonToAsk({
      recipe: 'ours',
      safety: 'behaviorPreserving',
      edits: lines(1),
      verdicts: verdicts(),
      ...change,
    }),
  ).toContain(reason);
});

test.each<[kind: ClaimKind, asks: boolean]>([
  ['points', false],
  ['types', false],
  ['fix', true],
  ['tests', true],
  ['speed', true],
  ['findings', true],
  ['request', true],
  ['upkeep', true],
])('a claim of %s needs a person: %s', (kind, asks) => {
  const claim = { kind, holds: true, evidence: 'It is shown.', price: null };
  // Exact types leave the score as it is, so its verdict is unknown.
  const measured = verdicts(kind === 'types' ? { score: 'unknown' } : {});
  const proposal = {
    recipe: 'ours',
    safety: 'behaviorPreserving' as const,
    edits: lines(1),
    verdicts: measured,
    claim,
  };
  for (const approval of ['moderate', 'minimal'] as const)
    expect(charterWith([], approval).reasonToAsk(proposal) !== null).toBe(asks);
  expect(charterWith([], 'strict').reasonToAsk(proposal)).not.toBeNull();
  if (kind === 'types')
    expect(charterWith([], 'minimal').reasonToAsk({ ...proposal, claim: { ...claim, holds: null } })).not.toBeNull();
});

test.each<[SafetyLevel, boolean]>([
  ['additive', false],
  ['behaviorPreserving', false],
  ['behaviorChanging', true],
  ['critical', true],
])('code by an unknown author that is %s needs a person: %s', (safety, expected) => {
  for (const approval of ['moderate', 'minimal'] as const) {
    expect(
      charterWith([], approval).reasonToAsk({ recipe: 'brought', safety, edits: lines(1), verdicts: verdicts() }) !==
        null,
    ).toBe(expected);
    expect(
      charterWith([], approval).reasonToAsk({
        recipe: 'brought',
        safety,
        edits: lines(1),
        verdicts: sameCode({ tests: 'unknown' }, 1),
      }),
    ).not.toBeNull();
  }
});

test.each([
  ['a name of 256 bytes', `src/${'ü'.repeat(128)}`, false],
  ['one of 255', `src/${'ü'.repeat(127)}a`, true],
  ['a path of more than 1,000 bytes', `${'folder/'.repeat(143)}a.ts`, false],
])('%s', (_what, path, allowed) => check(path, allowed));

test('where nobody says what verdicts show, a person decides about everything', () => {
  const blind = createCharter({
    files: createMemoryFiles({}),
    protectedPaths: [],
    approval: 'minimal',
    maxChanges: 1,
    isOurs: () => true,
  });
  expect(blind.reasonToAsk({ recipe: 'ours', safety: 'additive', edits: lines(1), verdicts: verdicts() })).toContain(
    'It is unchecked',
  );
});
