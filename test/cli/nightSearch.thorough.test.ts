// A run with nothing left to try looks for missing tests: they are committed, and calls that break are in the report.

import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const ours = join(import.meta.dirname, '..', '..', 'node_modules');
const files = {
  '.gitignore': 'node_modules\n',
  'biome.json': '{ "formatter": { "indentStyle": "space", "indentWidth": 3 } }\n',
  'package.json': manifestOf('amounts'),
  'tsconfig.json': '{"compilerOptions": {"strict": true, "target": "es2022", "module": "nodenext"}}\n',
  'src/clamp.ts': `/** The value, or the most that is allowed. */
export function clamp(value: number, most: number): number {
  return value > most ? most : value;
}

/** The length of the last text. */
export function lastLength(texts: readonly string[]): number {
  const spare = 0;
  return texts[texts.length - 1]!.length;
}
`,
  'test/clamp.test.ts': `import test from 'node:test';
import assert from 'node:assert';
import { inspect } from 'node:util';
import { clamp, lastLength } from '../src/clamp.ts';
test('clamp', () => assert.strictEqual(clamp(3, 10), 3));
test('lastLength', () => assert.strictEqual(lastLength(['a', 'abc']), 3));
`,
};

/** Installs the formatter: ignored by git, so that the copy of the night does not hold it. */
async function installBiome(dir: string): Promise<void> {
  await mkdir(join(dir, 'node_modules', '.bin'), { recursive: true });
  await symlink(join(ours, '@biomejs'), join(dir, 'node_modules', '@biomejs'));
  await symlink('../@biomejs/biome/bin/biome', join(dir, 'node_modules', '.bin', 'biome'));
}

test('missing tests are committed without a model, and calls that break are reported', async () => {
  const repository = await createTemporaryRepository(files);
  await installBiome(repository.dir);
  const selfware = await createCommandLine(repository.dir);
  const { code, stdout, stderr } = await selfware.run(['night', '--for', '30m', '--no-wait', '--max-changes', '3']);
  expect(code, stderr).toBe(0);
  const report = (await selfware.run(['report'])).stdout;
  // A missing test is wanted more than the removal of what is unused.
  expect(stdout).toMatch(/Add (?:a test|\d tests) for clamp[^]*committed[^]*trying: Remove [^\n]*spare/);
  // A change of an existing test waits for a person, so it is tried after what can be kept.
  expect(stdout).toMatch(
    /Add (?:a test|\d tests) for clamp[^]*committed[^]*trying: Remove the unused import of inspect/,
  );
  expect(report).toMatch(/1\. Add (?:a test|\d tests) for clamp/);
  expect(report).toContain('Missing tests: 1 function with mistakes that no test noticed');
  expect(report).toMatch(/- Breaks: `lastLength\(\[\]\)` \(src\/clamp\.ts\): /);
  const [branch = ''] = (await repository.git('branch', '--list', 'selfware/*', '--format=%(refname:short)')).split(
    '\n',
  );
  const added = await repository.git('diff', '--unified=0', `HEAD..${branch}`);
  expect(added).toMatch(/^\+\+\+ b\/test\/clamp\.test\.ts$/m);
  // In the style of the formatter.
  expect(added).toMatch(/^\+ {3}assert\.\w+\(clamp\(/m);
  expect(await repository.read('test/clamp.test.ts')).toBe(files['test/clamp.test.ts']);
  await selfware.dispose();
  await repository.dispose();
});

/** What others offer is tested, and an inner file holds the mistake that no test notices. */
const layered = {
  'package.json': manifestOf('words'),
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "allowImportingTsExtensions": true, "noEmit": true } }\n',
  'src/inner.ts': `export function cut(text: string, most: number): string {
  if (most < 0) return '';
  if (text.length > most) return text.slice(0, most);
  return text;
}
`,
  ...Object.fromEntries(
    ['first', 'second', 'third'].map((name) => [
      `src/${name}.ts`,
      `export function ${name}(value: number): string {
  if (value > 0) return 'above';
  if (value < 0) return 'below';
  return 'none';
}
`,
    ]),
  ),
  'src/index.ts': `import { cut } from './inner.ts';
export function shorten(text: string, most: number): string {
  return cut(text, most);
}
`,
  ...Object.fromEntries(
    ['first', 'second', 'third'].map((name) => [
      `test/${name}.test.ts`,
      `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { ${name} } from '../src/${name}.ts';

test('${name}', () => {
  assert.deepEqual([2, 1, 0, -1, -2].map(${name}), ['above', 'above', 'none', 'below', 'below']);
});
`,
    ]),
  ),
  'test/index.test.ts': `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { shorten } from '../src/index.ts';

test('a short text stays', () => {
  assert.equal(shorten('ab', 5), 'ab');
});
`,
};

thoroughTest(
  'a mistake in an inner file becomes a test of the function that tests import, whatever the order of the files',
  async () => {
    const repository = await createTemporaryRepository(layered);
    const selfware = await createCommandLine(repository.dir);
    const { code, stdout, stderr } = await selfware.run(['night', '--for', '30m', '--no-wait', '--max-changes', '1']);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/committed \w+ \(\w+\): Add (?:a test|\d tests) for shorten/);
    const [branch = ''] = (await repository.git('branch', '--list', 'selfware/*', '--format=%(refname:short)')).split(
      '\n',
    );
    expect((await repository.git('diff', '--name-only', `HEAD..${branch}`)).trim()).toBe('test/index.test.ts');
    await selfware.dispose();
    await repository.dispose();
  },
);
