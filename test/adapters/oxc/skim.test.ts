// The process that skims scripts: it answers as the analysis does, says what it leaves to it, and may fall.

import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createWorkerJobs } from '../../../server/src/adapters/workers/workerJobs.ts';
import { skimFirst } from '../../../server/src/app/skimming.ts';
import type { Jobs, JobTable } from '../../../server/src/core/indexPorts.ts';

const adapters = join(import.meta.dirname, '..', '..', '..', 'server', 'src', 'adapters');
const signal = new AbortController().signal;
const only = ['cognitive-complexity', 'undocumented-export', 'unexplained-export', 'long-function', 'many-parameters', 'large-file'];
const hard = `/** Doc. */\nexport function ä(a) { ${'if (a) { for (;;) { while (a && b) { c(); } } }\n'.repeat(4)} }\n// says what it is for, in words\nexport function other(a, b, c, d, e, f, g) { a; b; c; }\nimport x from './x.js';`;

const open: Jobs[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((jobs) => jobs.close()));
});

function started(): { readonly skimmer: Jobs; readonly compiler: Jobs } {
  const skimmer = createWorkerJobs({ entry: join(adapters, 'oxc', 'skimProcess.ts'), threads: 1, apart: true });
  const compiler = createWorkerJobs({ entry: join(adapters, 'workers', 'worker.ts'), threads: 1 });
  open.push(skimmer, compiler);
  return { skimmer, compiler };
}

function file(path: string, content: string | Uint8Array): JobTable['skim']['input'][number] {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { path, bytes, size: bytes.byteLength, mtimeMs: 1, hash: `hash of ${path}`, only };
}

test('it answers as the analysis does', async () => {
  const { skimmer, compiler } = started();
  const files = [file('src/hard.js', hard), file('src/hard.ts', hard), file('src/View.tsx', `export const View = () => <p>{a && b}</p>;\n${hard}`), file('README.md', '# Words'), file('package.json', '{}'), file('data.bin', new Uint8Array([0, 1, 2])), file('latin.js', new Uint8Array([47, 47, 0xe4, 10])), file('dist/made.js', `// @generated\n${hard}`), file('run', `#!/usr/bin/env node\n${hard}`), file('bom.ts', `\uFEFF${hard}`)];
  const skimmed = await skimmer.run('skim', files, signal);
  expect(skimmed).toEqual(await compiler.run('analyse', files, signal).then((rows) => rows.map((row) => (row.opportunities.length > 0 ? row : { ...row, functions: [] }))));
  const found = skimmed.flatMap((row) => row?.opportunities ?? []);
  expect([...new Set(found.map(({ rule }) => rule))].sort()).toEqual(['cognitive-complexity', 'many-parameters', 'undocumented-export']);
  expect(new Set(found.map(({ path }) => path)).size).toBe(5);
});

test('what is broken, needs another parser, or has suppressions in it is left to the analysis', async () => {
  const { skimmer } = started();
  const files = [file('a.ts', 'function f( {'), file('b.py', 'def f(): pass'), file('c.ts', '// selfware-ignore-file cognitive-complexity: as it is\nlet a;')];
  expect(await skimmer.run('skim', files, signal)).toEqual([null, null, null]);
});

test('a file that the parser falls over takes nothing along, and who asked is answered', { timeout: 120_000 }, async () => {
  const { skimmer, compiler } = started();
  const said: string[] = [];
  const jobs = skimFirst(skimmer, compiler, { write: (level, message) => void said.push(`${level}: ${message}`) });
  const deep = file('deep.ts', `x = ${'('.repeat(100_000)}a${')'.repeat(100_000)};`);
  const files = [file('src/hard.ts', hard), deep];
  const rows = await jobs.run('analyse', files, signal);
  expect(rows).toEqual(await compiler.run('analyse', files, signal));
  expect(said).toEqual(['warn: The quick parser failed; the compiler takes over.']);
  expect((await jobs.run('analyse', [file('src/hard.ts', hard)], signal))[0]!.opportunities).toEqual(rows[0]!.opportunities);
  expect(said).toHaveLength(1);
});

test('what asks for every rule never meets it', async () => {
  const { skimmer, compiler } = started();
  await skimmer.close();
  const jobs = skimFirst(skimmer, compiler, { write: () => expect.unreachable() });
  const whole = { ...file('src/hard.ts', hard), only: undefined };
  expect((await jobs.run('analyse', [whole as never], signal))[0]!.measures).not.toEqual({});
});
