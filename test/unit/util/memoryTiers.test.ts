// What may be loaded into memory: the table of tiers, the chain of quantisations, and the words for a person.

import { expect, test } from 'vitest';
import {
  chooseQuantisation,
  computeLoadableBytes,
  memorySentence,
  explainNotLoaded,
  chooseTier,
} from '../../../server/src/util/memoryTiers.ts';

const GIB = 1024 ** 3;
const memory = (total: number, used: number) => ({ total: total * GIB, available: (total - used) * GIB });

test.each([
  [0, 'normal'],
  [69, 'normal'],
  [70, 'reduced'],
  [84, 'reduced'],
  [85, 'full'],
  [100, 'full'],
] as const)('%i %% in use: %s', (used, tier) => {
  expect(chooseTier(memory(100, used))).toBe(tier);
});

test.each([
  [64, 20, 'Q4_K_M'],
  // 18 GB would leave it above 70 %, and 14 GB do not.
  [32, 8, 'Q3_K_L'],
  [32, 12, 'Q2_K'],
  // None leaves it below 70 %: the largest one that may be loaded at all.
  [32, 13, 'Q3_K_L'],
  [16, 8, undefined],
] as const)('of %i GB, %i in use: %s', (total, used, name) => {
  expect(chooseQuantisation(memory(total, used))?.name).toBe(name);
});

test('a file may be loaded up to 85 %, with what it needs beside its bytes', () => {
  expect(computeLoadableBytes(memory(100, 80)) / GIB).toBeCloseTo(5, 5);
  expect(computeLoadableBytes(memory(100, 90))).toBe(0);
  expect(explainNotLoaded('gguf', 4 * GIB, memory(100, 80))).toBeNull();
  expect(explainNotLoaded('gguf', 5 * GIB, memory(100, 80))).toEqual({
    reason:
      'The model needs about 6.0 GB of memory, and 5.0 GB may be loaded now: at most 85 % of 100.0 GB are filled.',
    action: 'Use a smaller quantisation of it, or close other programs.',
    missing: expect.closeTo(GIB, -3),
  });
  expect(explainNotLoaded('onnx', 3 * GIB, memory(100, 80))?.reason).toContain('about 6.0 GB');
  expect(explainNotLoaded('onnx', 2 * GIB, memory(100, 80))).toBeNull();
});

test('what needs less than a hundredth of the memory is loaded even if the memory is full', () => {
  expect(explainNotLoaded('onnx', 0.09 * GIB, memory(64, 60))).toBeNull();
  expect(explainNotLoaded('onnx', 0.09 * GIB, memory(16, 15))?.reason).toContain('needs about 185 MB of memory');
});

test('if it is unknown what is in use, only the total limits what is loaded', () => {
  const unknown = { total: 16 * GIB, available: null };
  expect([chooseTier(unknown), chooseQuantisation(unknown)?.name]).toEqual(['normal', 'Q2_K']);
  expect(explainNotLoaded('gguf', 11 * GIB, unknown)).toBeNull();
  expect(explainNotLoaded('gguf', 12 * GIB, unknown)?.reason).toContain('13.6 GB may be loaded');
  expect(memorySentence(unknown)).toMatch(/^16\.0 GB, and how much is in use is unknown; up to 13\.6 GB/);
});

test('a person reads how full the memory is, and what that allows', () => {
  expect(memorySentence(memory(32, 8))).toBe(
    '8.0 GB of 32.0 GB in use (25 %, normal): models are loaded; up to 19.2 GB may be loaded, a model of 32B as Q3_K_L',
  );
  expect(memorySentence(memory(16, 15))).toBe(
    '15.0 GB of 16.0 GB in use (94 %, full): no model is loaded, and an idle one is unloaded; ' +
      'up to 0.0 GB may be loaded, no model of 32B, not even as Q2_K',
  );
});
