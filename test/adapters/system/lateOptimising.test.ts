// Which compiler has made the code of a busy function, as the engine itself tells.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { canWait } from '../../../server/src/adapters/system/lateOptimising.ts';

const module = pathToFileURL(
  join(import.meta.dirname, '..', '..', '..', 'server', 'src', 'adapters', 'system', 'lateOptimising.ts'),
).href;

/** Rounds of work after which it is asked: before any timer has had its turn, and when they have had some. */
function isBest(shortMs: number, brief = false): { readonly first: boolean; readonly later: boolean } {
  const program = `
    import { optimiseLate } from ${JSON.stringify(module)};
    const TURBOFAN = 1 << 6;
    const work = () => { let sum = 0; for (let round = 0; round < 100_000; round++) sum = ((sum + round) * 31 + 7) % 1009; return sum; };
    const isBest = () => (%GetOptimizationStatus(work) & TURBOFAN) !== 0;
    optimiseLate(${brief}, ${shortMs}, 1);
    for (let round = 0; round < 500; round++) work();
    const first = isBest();
    for (let round = 0; round < 2_000 && !isBest(); round++) { work(); await new Promise((resolve) => setTimeout(resolve, 1)); }
    console.log(JSON.stringify({ first, later: isBest() }));
  `;
  return JSON.parse(
    execFileSync(
      process.execPath,
      ['--allow-natives-syntax', '--no-concurrent-recompilation', '--input-type=module', '--eval', program],
      { encoding: 'utf8' },
    ),
  ) as ReturnType<typeof isBest>;
}

test('the best compiler waits until the process is no short one, and comes then', () => {
  const other = !canWait();
  expect(isBest(0)).toEqual({ first: other, later: true });
  expect(isBest(0, true)).toEqual({ first: other, later: true });
  expect(isBest(Infinity)).toEqual({ first: other, later: other });
  expect(isBest(Infinity, true)).toEqual({ first: other, later: other });
});
