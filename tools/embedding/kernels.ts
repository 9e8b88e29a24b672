// The inner loops of training on 128-bit lanes: an order of magnitude faster than the same loops in JavaScript.

import {
  add,
  ADD,
  advance,
  assembleModule,
  constant,
  DIVIDE,
  F32,
  get,
  I32,
  lane,
  lanes,
  load,
  MULTIPLY,
  ROOT,
  set,
  SPLAT,
  store,
  SUBTRACT,
  loopUntil,
  V128,
  zeroVector,
  type LaneFunction,
  type LaneMemory,
} from '../../server/src/util/webAssembly.ts';

/** Offsets and lengths are in bytes of the shared memory; lengths are multiples of 32. */
export interface Kernels {
  readonly memory: LaneMemory;
  /** target += factor × source. */
  addScaled(target: number, source: number, length: number, factor: number): void;
  /** out[j] = a · b[j] for `count` rows of b that follow one another. */
  dots(a: number, b: number, length: number, count: number, out: number): void;
  /** A step of Adagrad: squares += slopes², values −= pace × slopes / √squares, slopes = 0. */
  step(values: number, slopes: number, squares: number, length: number, pace: number): void;
}

export function createKernels(bytes: number): Kernels {
  return assembleModule<Omit<Kernels, 'memory'>>([addScaled, dots, step], bytes);
}

/** Locals: 0 target, 1 source, 2 length, then the end of the target, 3 factor, 4 factor in all lanes. */
const addScaled: LaneFunction = {
  name: 'addScaled',
  parameters: [I32, I32, I32, F32],
  locals: [[1, V128]],
  code: [
    ...get(3),
    ...lanes(SPLAT),
    ...set(4),
    ...get(0),
    ...get(2),
    ...add,
    ...set(2),
    ...loopUntil(0, 2, [
      ...get(0),
      ...get(0),
      ...load(),
      ...get(1),
      ...load(),
      ...get(4),
      ...lanes(MULTIPLY),
      ...lanes(ADD),
      ...store(),
      ...advance(0, 16),
      ...advance(1, 16),
    ]),
  ],
};

/** Locals: 0 a, 1 b, 2 length, 3 count, then the end of out, 4 out, 5 at in a, 6 end of a, 7 and 8 sums. */
const dots: LaneFunction = {
  name: 'dots',
  parameters: [I32, I32, I32, I32, I32],
  locals: [
    [2, I32],
    [2, V128],
  ],
  code: [
    ...get(0),
    ...get(2),
    ...add,
    ...set(6),
    ...get(3),
    ...constant(2),
    0x74,
    ...get(4),
    ...add,
    ...set(3),
    ...loopUntil(4, 3, [
      ...get(0),
      ...set(5),
      ...zeroVector(),
      ...set(7),
      ...zeroVector(),
      ...set(8),
      ...loopUntil(5, 6, [
        ...get(7),
        ...get(5),
        ...load(),
        ...get(1),
        ...load(),
        ...lanes(MULTIPLY),
        ...lanes(ADD),
        ...set(7),
        ...get(8),
        ...get(5),
        ...load(16),
        ...get(1),
        ...load(16),
        ...lanes(MULTIPLY),
        ...lanes(ADD),
        ...set(8),
        ...advance(1, 32),
        ...advance(5, 32),
      ]),
      ...get(7),
      ...get(8),
      ...lanes(ADD),
      ...set(7),
      ...get(4),
      ...get(7),
      ...lane(0),
      ...get(7),
      ...lane(1),
      0x92,
      ...get(7),
      ...lane(2),
      0x92,
      ...get(7),
      ...lane(3),
      0x92,
      0x38,
      2,
      0,
      ...advance(4, 4),
    ]),
  ],
};

/**
 * Locals: 0 values, 1 slopes, 2 squares, 3 length, then the end of the values, 4 pace, 5 pace in all lanes, 6 slopes, 7
 * squares.
 */
const step: LaneFunction = {
  name: 'step',
  parameters: [I32, I32, I32, I32, F32],
  locals: [[3, V128]],
  code: [
    ...get(4),
    ...lanes(SPLAT),
    ...set(5),
    ...get(0),
    ...get(3),
    ...add,
    ...set(3),
    ...loopUntil(0, 3, [
      ...get(1),
      ...load(),
      ...set(6),
      ...get(2),
      ...load(),
      ...get(6),
      ...get(6),
      ...lanes(MULTIPLY),
      ...lanes(ADD),
      ...set(7),
      ...get(2),
      ...get(7),
      ...store(),
      ...get(0),
      ...get(0),
      ...load(),
      ...get(5),
      ...get(6),
      ...lanes(MULTIPLY),
      ...get(7),
      ...lanes(ROOT),
      ...lanes(DIVIDE),
      ...lanes(SUBTRACT),
      ...store(),
      ...get(1),
      ...zeroVector(),
      ...store(),
      ...advance(0, 16),
      ...advance(1, 16),
      ...advance(2, 16),
    ]),
  ],
};
