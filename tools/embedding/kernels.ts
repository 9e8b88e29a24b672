// The inner loops of training on 128-bit lanes: an order of magnitude faster than the same loops in JavaScript.

import {
  add,
  ADD,
  advance,
  assembleModule,
  pushConstant,
  DIVIDE,
  F32,
  getLocal,
  I32,
  extractLane,
  laneInstruction,
  loadVector,
  MULTIPLY,
  ROOT,
  setLocal,
  SPLAT,
  storeVector,
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
    ...getLocal(3),
    ...laneInstruction(SPLAT),
    ...setLocal(4),
    ...getLocal(0),
    ...getLocal(2),
    ...add,
    ...setLocal(2),
    ...loopUntil(0, 2, [
      ...getLocal(0),
      ...getLocal(0),
      ...loadVector(),
      ...getLocal(1),
      ...loadVector(),
      ...getLocal(4),
      ...laneInstruction(MULTIPLY),
      ...laneInstruction(ADD),
      ...storeVector(),
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
    ...getLocal(0),
    ...getLocal(2),
    ...add,
    ...setLocal(6),
    ...getLocal(3),
    ...pushConstant(2),
    0x74,
    ...getLocal(4),
    ...add,
    ...setLocal(3),
    ...loopUntil(4, 3, [
      ...getLocal(0),
      ...setLocal(5),
      ...zeroVector(),
      ...setLocal(7),
      ...zeroVector(),
      ...setLocal(8),
      ...loopUntil(5, 6, [
        ...getLocal(7),
        ...getLocal(5),
        ...loadVector(),
        ...getLocal(1),
        ...loadVector(),
        ...laneInstruction(MULTIPLY),
        ...laneInstruction(ADD),
        ...setLocal(7),
        ...getLocal(8),
        ...getLocal(5),
        ...loadVector(16),
        ...getLocal(1),
        ...loadVector(16),
        ...laneInstruction(MULTIPLY),
        ...laneInstruction(ADD),
        ...setLocal(8),
        ...advance(1, 32),
        ...advance(5, 32),
      ]),
      ...getLocal(7),
      ...getLocal(8),
      ...laneInstruction(ADD),
      ...setLocal(7),
      ...getLocal(4),
      ...getLocal(7),
      ...extractLane(0),
      ...getLocal(7),
      ...extractLane(1),
      0x92,
      ...getLocal(7),
      ...extractLane(2),
      0x92,
      ...getLocal(7),
      ...extractLane(3),
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
    ...getLocal(4),
    ...laneInstruction(SPLAT),
    ...setLocal(5),
    ...getLocal(0),
    ...getLocal(3),
    ...add,
    ...setLocal(3),
    ...loopUntil(0, 3, [
      ...getLocal(1),
      ...loadVector(),
      ...setLocal(6),
      ...getLocal(2),
      ...loadVector(),
      ...getLocal(6),
      ...getLocal(6),
      ...laneInstruction(MULTIPLY),
      ...laneInstruction(ADD),
      ...setLocal(7),
      ...getLocal(2),
      ...getLocal(7),
      ...storeVector(),
      ...getLocal(0),
      ...getLocal(0),
      ...loadVector(),
      ...getLocal(5),
      ...getLocal(6),
      ...laneInstruction(MULTIPLY),
      ...getLocal(7),
      ...laneInstruction(ROOT),
      ...laneInstruction(DIVIDE),
      ...laneInstruction(SUBTRACT),
      ...storeVector(),
      ...getLocal(1),
      ...zeroVector(),
      ...storeVector(),
      ...advance(0, 16),
      ...advance(1, 16),
      ...advance(2, 16),
    ]),
  ],
};
