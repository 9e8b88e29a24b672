// The memory that a command needs at most is that of all its processes together.

import { expect, test } from 'vitest';
import { never, sandboxOf } from './sandboxOf.ts';

const MEGABYTE = 1024 ** 2;

test('a command that fills more memory has a higher peak, its children included', async () => {
  const hold = (megabytes: number) =>
    `const held = Buffer.alloc(${megabytes} * ${MEGABYTE}, 1); setTimeout(() => held.length, 300)`;
  await using given = await sandboxOf({
    'small.mjs': hold(1),
    'large.mjs': hold(200),
    'parent.mjs': "import { spawnSync } from 'node:child_process';\nspawnSync(process.execPath, ['large.mjs']);\n",
  });
  const worktree = await given.open();
  const peakOf = async (file: string) => {
    const { peakBytes } = await worktree.run({ command: ['node', file], timeoutMs: 60_000, peak: true }, never);
    return peakBytes ?? Number.NaN;
  };
  const [small, large, parent] = [await peakOf('small.mjs'), await peakOf('large.mjs'), await peakOf('parent.mjs')];
  // Elsewhere nobody says.
  if (process.platform !== 'linux') return expect(small).toBeNaN();
  expect(large - small).toBeGreaterThan(150 * MEGABYTE);
  expect(large - small).toBeLessThan(250 * MEGABYTE);
  expect(parent).toBeGreaterThan(large);
  const unasked = await worktree.run({ command: ['node', 'small.mjs'], timeoutMs: 60_000 }, never);
  expect(unasked.peakBytes).toBeUndefined();
});
