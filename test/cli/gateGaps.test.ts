// `selfware verify` on changes that look harmless to one check: each must be seen by another one.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const dispose of undo.splice(0)) await dispose();
});

async function repositoryOf(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly repository: TemporaryRepository; readonly selfware: CommandLine }> {
  const repository = await createTemporaryRepository(files);
  const selfware = await createCommandLine(repository.dir);
  undo.push(selfware.dispose, repository.dispose);
  return { repository, selfware };
}

const spec =
  "import test from 'node:test';\nimport assert from 'node:assert';\nimport { mean } from '../src/mean.js';\n\ntest('mean', () => {\n  assert.strictEqual(mean([1, 3]), 2);\n});\n";
const code = 'export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;\n';

test('a byte that is not UTF-8 hides no weakened test, and the policy of the team holds unasked', async () => {
  const { repository, selfware } = await repositoryOf({
    'package.json': manifestOf('means'),
    'src/mean.js': code,
    'test/mean.test.js': spec,
    '.selfware/policy.json': '{"require": {"tests": "unchanged"}}\n',
  });
  await repository.write('src/mean.js', code.replace(', 0)', ', 1)'));
  const weakened = spec.replace('strictEqual(mean([1, 3]), 2)', 'ok(mean([1, 3]))');
  await writeFile(join(repository.dir, 'test/mean.test.js'), Buffer.from(`// caf\xe9\n${weakened}`, 'latin1'));
  const { code: exit, value } = await selfware.json(['verify', '--base', 'HEAD']);
  expect(value.tests.edited).toEqual(['test/mean.test.js']);
  const kinds = value.tests.changes.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['loosened', 'unreadable']));
  expect(value.policy.source).toBe('.selfware/policy.json');
  const [{ demands }] = value.policy.rules;
  expect(demands).toContainEqual(expect.objectContaining({ what: 'no test is edited', met: false }));
  expect(value.verdicts).toContainEqual(expect.objectContaining({ gate: 'integrity', outcome: 'failed' }));
  expect(exit).toBe(1);
});

thoroughTest('texts that programs or tests read are data, and need the checks', async () => {
  const { repository, selfware } = await repositoryOf({
    'package.json': manifestOf('means'),
    'src/mean.js': `import { readFileSync } from 'node:fs';\nexport const text = () => readFileSync('data/hello.md', 'utf8');\n${code}`,
    'test/mean.test.js': spec,
    'test/cases/b.md': '# Case\n',
    'data/hello.md': 'Hello\n',
    'docs/guide.md': '# Guide\n',
  });
  await repository.write('docs/guide.md', '# A guide\n');
  // Settings of the person that change what git prints.
  await repository.git('config', 'grep.lineNumber', 'true');
  await repository.git('config', 'color.ui', 'always');
  const prose = await selfware.json(['verify', '--base', 'HEAD']);
  expect(prose.value).toMatchObject({ strength: 'proven', onlyProse: true });
  await repository.write('data/hello.md', 'Bye\n');
  await repository.git('rm', '--quiet', 'test/cases/b.md');
  const { value } = await selfware.json(['verify', '--base', 'HEAD']);
  expect(value.strength).toBe('tested');
  expect(value.onlyProse).toBeUndefined();
  expect(value.notes).toContain('Programs or tests may read data/hello.md, test/cases/b.md, so they count as data.');
});

test('a change is not judged if its tests did not run, or if nothing is found that checks it', async () => {
  const { repository, selfware } = await repositoryOf({
    'package.json': '{"name": "hours", "type": "module", "scripts": {"test": "no-such-runner"}}\n',
    'src/hours.js': 'export function twice(value) {\n  return value + value;\n}\n',
  });
  await repository.write('src/hours.js', '// Twice.\nexport function twice(value) {\n  return value + value;\n}\n');
  const silent = await selfware.json(['verify', '--base', 'HEAD']);
  expect([silent.code, silent.value.conclusion, silent.value.strength]).toEqual([2, 'notJudged', 'proven']);
  await repository.write('package.json', '{"name": "hours", "type": "module"}\n');
  await repository.git('commit', '--quiet', '--message', 'No tests', 'package.json');
  const none = await selfware.run(['verify', '--base', 'HEAD']);
  expect(none.code, none.stdout).toBe(2);
  expect(none.stdout).toContain('Name the command of the tests in `selfware.verify.testCommand`.');
});

thoroughTest('tests of Python are found without any marker', async () => {
  const { repository, selfware } = await repositoryOf({
    'core.py': 'def twice(value):\n    return value + value\n',
    'test/test_core.py':
      'import unittest\nfrom core import twice\n\n\nclass Core(unittest.TestCase):\n    def test_twice(self):\n        self.assertEqual(twice(2), 4)\n',
  });
  await repository.write('core.py', 'def twice(value):\n    return value * 3\n');
  const { code: exit, value } = await selfware.json(['verify', '--base', 'HEAD']);
  const tests = value.verdicts.find(({ gate }: { gate: string }) => gate === 'tests');
  expect(tests.evidence.noSuchCheck).toBeUndefined();
  expect(exit, tests.reason).not.toBe(0);
});

thoroughTest('tests that fail for want of a file of Git LFS are unknown, and a note says so', async () => {
  const { repository, selfware } = await repositoryOf({
    'package.json': manifestOf('means'),
    'src/mean.js': code,
    'test/mean.test.js': `${spec}import { readFileSync } from 'node:fs';\ntest('reads', () => assert.match(readFileSync('test/big.dat', 'utf8'), /^DATA/, 'big.dat'));\n`,
    '.gitattributes': '*.dat filter=lfs diff=lfs merge=lfs -text\n',
  });
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`;
  await repository.write('test/big.dat', pointer);
  await repository.git('-c', 'filter.lfs.clean=cat', '-c', 'filter.lfs.required=false', 'add', '--all');
  await repository.git('commit', '--quiet', '--message', 'Data');
  await repository.write('src/mean.js', `// The mean.\n${code}`);
  const { value } = await selfware.json(['verify', '--base', 'HEAD']);
  const tests = value.verdicts.find(({ gate }: { gate: string }) => gate === 'tests');
  expect(value.notes.join(' ')).toContain('1 file is a pointer of Git LFS, whose content is not here');
  expect([tests.outcome, tests.reason]).toEqual(['unknown', expect.stringContaining('names test/big.dat')]);
});
