// The quick part of the kill tests of the index; `npm run bench -- kill` runs as many as you like.

import { join } from 'node:path';
import { expect, onTestFailed, onTestFinished, test } from 'vitest';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { runKills } from './indexKills.ts';
import { sample } from '../helpers/thorough.ts';

/** Milliseconds; each kill costs some processes, on a machine that may be busy. */
const TIME = 480_000;
const sources = join(import.meta.dirname, '..', '..', 'server', 'src', 'core', 'index');

test.each(
  sample(
    [
      ['lexical', 4, 1],
      ['lancedb', 6, 2],
    ] as const,
    1,
  ),
)(
  '%s: after each of %i kills at random moments the next start is right',
  { timeout: TIME },
  async (store, kills, seed) => {
    const begun = performance.now();
    const notes: string[] = [];
    onTestFailed(() =>
      console.error([...notes, `failed after ${Math.round(performance.now() - begun)} ms`].join('\n')),
    );
    const report = await runKills({
      store,
      kills,
      seed,
      sources,
      note: (text) => void notes.push(`${Math.round(performance.now() - begun)} ms: ${text}`),
    });
    expect(report.faults).toEqual([]);
    expect(report.killed).toBe(kills);
  },
);

test.each([
  ['fails', 'console.error("no index today"); process.exit(3);', 'the process failed: no index today'],
  [
    'hangs',
    'console.log("begin"); setInterval(() => undefined, 60_000); process.on("SIGTERM", () => undefined);',
    'the process hung after it had said "begin"',
  ],
])('a process that %s each time ends the run, which says so', async (_, text, fault) => {
  const programs = await createTemporaryRepository(
    { 'program.mjs': text, 'sources/one.ts': 'export const one = 1;\n' },
    { git: false },
  );
  onTestFinished(() => programs.dispose());
  const report = await runKills({
    store: 'lexical',
    kills: 3,
    seed: 3,
    sources: join(programs.dir, 'sources'),
    program: join(programs.dir, 'program.mjs'),
    hangsMs: 2_000,
  });
  expect(report.faults[0]).toContain(fault);
  expect([report.killed, report.finished]).toEqual([0, 1]);
});
