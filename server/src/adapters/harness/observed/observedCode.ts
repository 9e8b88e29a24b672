// The data about expressions whose values are observed while calls are compared. Plain data, which the processes of the
// two sides exchange.

/**
 * An expression that only one side has. `both`: it has to be true on some input and false on another. `nullish`: null
 * or undefined on some input, and another value on another input. `effect`: it has to differ from each of its operands
 * on some input, so that a call that never changes anything is noticed. `neutral`: it is added to or multiplied with a
 * variable, and has to change it on some input. `hidden`: its value cannot be observed. `default`: the default value of
 * a parameter, which was another literal.
 */
export interface ObservedExpression {
  readonly path: string;
  readonly kind: 'both' | 'nullish' | 'effect' | 'neutral' | 'hidden' | 'default';
  readonly text: string;
  /** Texts of the operands with which values are compared; only for `effect`. */
  readonly operands: readonly string[];
}

/** The code of a file, with calls that note the values of expressions. */
export interface ObservedCode {
  readonly code: string;
  /** The parts that are the file's own code, in order: where each begins here and in the file, and its length. */
  readonly parts: readonly (readonly [from: number, original: number, length: number])[];
}

/** Name of the global function that notes values. Compared code is unlikely to have this name. */
export const OBSERVER = '__selfwareObserve__';

/** Bits for the observations of an expression. `DIFFERS` is shifted by the index of the operand. */
export const EVALUATED = 1;
export const WAS_TRUE = 2;
export const WAS_FALSE = 4;
/** The value was one with which operands are not compared. */
export const WAS_OTHER = 8;
export const DIFFERS = 16;
/** Operands after these are not compared. */
export const MAX_OPERANDS = 8;

/** The offset in the file for an offset in the code that notes values. */
export function toOriginalOffset({ parts }: ObservedCode, offset: number): number {
  const part = parts.findLast(([from]) => from <= offset);
  if (!part) return 0;
  const [from, original, length] = part;
  return original + Math.min(offset - from, length);
}
