// Notes the values of observed expressions in the process of a side.

import { types } from 'node:util';
import { DIFFERS_FROM_FIRST, EVALUATED, OBSERVER, WAS_FALSE, WAS_OTHER, WAS_TRUE } from './observedCode.ts';

/** Names of methods that return -1, null or undefined if they find nothing. */
const SEARCHING_METHODS = new Set(
  'match exec find findLast at pop shift get search indexOf lastIndexOf findIndex findLastIndex codePointAt'.split(' '),
);

/** Maximum number of elements of an array that are compared. All further ones count as equal. */
const MAX_ELEMENTS = 10_000;

/** An unfinished evaluation of an expression, with the operands that are known so far. */
interface Frame {
  readonly operands: unknown[];
}

/** The bits of the observations, by the number of the expression. */
export type SeenBits = number[];

/**
 * Installs the global object whose methods the code with observed expressions calls. Returns the list in which the bits
 * are collected. No method calls code that the repository can replace.
 */
export function installObserver(): SeenBits {
  const seenBits: SeenBits = [];
  const runningFrames: Frame[][] = [];
  const { is, getOwnPropertyDescriptor } = Object;
  const { isArray } = Array;
  const { isProxy } = types;
  const toNumber = Number;
  /** A proxy does not count as an array, because reading it calls code of the repository. */
  const isPlainArray = (value: unknown): value is readonly unknown[] => isArray(value) && !isProxy(value);
  const addBits = (id: number, bits: number) => {
    seenBits[id] = (seenBits[id] ?? 0) | bits;
  };

  const observer = {
    both: (id: number, value: unknown) => {
      addBits(id, EVALUATED | (value ? WAS_TRUE : WAS_FALSE));
      return value;
    },
    nullish: (id: number, value: unknown) => {
      addBits(id, EVALUATED | (value === null || value === undefined ? WAS_TRUE : WAS_FALSE));
      return value;
    },
    neutral: (id: number, value: unknown, neutralValue: number) => {
      const isPrimitive = typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol';
      const isNeutral = value === '' || (isPrimitive && toNumber(value) === neutralValue);
      addBits(id, EVALUATED | (isNeutral ? 0 : WAS_OTHER));
      return value;
    },
    begin: (id: number): Frame => {
      const frame: Frame = { operands: [] };
      const frames = (runningFrames[id] ??= []);
      frames[frames.length] = frame;
      return frame;
    },
    first: (id: number, value: unknown) => {
      observer.begin(id).operands[0] = value;
      return value;
    },
    operand: (id: number, index: number, value: unknown) => {
      const frame = runningFrames[id]?.[runningFrames[id].length - 1];
      if (frame) frame.operands[index] = value;
      return value;
    },
    end: (id: number, startFrame: Frame | null, value: unknown, method: string) => {
      const frames = runningFrames[id] ?? [];
      const frame = startFrame ?? frames[frames.length - 1];
      // Evaluations that threw have left their frames.
      while (frames.length > 0 && frames[frames.length - 1] !== frame) frames.length -= 1;
      if (frames.length > 0) frames.length -= 1;
      addBits(id, EVALUATED | computeBits(value, frame?.operands ?? [], method));
      return value;
    },
  };
  Object.defineProperty(globalThis, OBSERVER, { value: Object.freeze(observer) });
  return seenBits;

  function computeBits(value: unknown, operands: readonly unknown[], method: string): number {
    if (typeof value === 'boolean') return value ? WAS_TRUE : WAS_FALSE;
    const isNothing = value === undefined || value === null;
    // The chain with `?.` has ended early.
    if (isNothing && operands.length > 0 && (operands[0] === undefined || operands[0] === null)) return 0;
    if (SEARCHING_METHODS.has(method) && (isNothing || value === -1)) return 0;
    if (method === 'split' && isPlainArray(value)) return value.length === 1 ? 0 : WAS_OTHER;
    const isComparable = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
    if (!isComparable && !(isPlainArray(value) && isPlainArray(operands[0]))) return WAS_OTHER;
    let bits = 0;
    for (let index = 0; index < operands.length; index++)
      if (!isSame(value, operands[index])) bits |= DIFFERS_FROM_FIRST << index;
    return bits;
  }

  /**
   * True for equal primitive values, and for two arrays with equal elements. An array does not count as the same as
   * itself, because the call may have changed it.
   */
  function isSame(value: unknown, operand: unknown): boolean {
    if (!isPlainArray(value) || !isPlainArray(operand)) return is(value, operand);
    if (value === operand) return false;
    if (value.length !== operand.length) return false;
    for (let index = 0; index < value.length && index < MAX_ELEMENTS; index++)
      if (!is(readElement(value, index), readElement(operand, index))) return false;
    return true;
  }

  /** The element of an array; undefined if it has a getter, because that would run code of the repository. */
  function readElement(array: readonly unknown[], index: number): unknown {
    return getOwnPropertyDescriptor(array, index)?.value;
  }
}
