// Defines the data about expressions whose values are observed while calls are compared. It is plain data, because
// processes exchange it.

/**
 * An expression that only one side has. `kind` says what the inputs must show. `both`: it is true on some input and
 * false on another. `nullish`: it is null or undefined on some input and not on another. `effect`: it differs from each
 * of its operands on some input, because otherwise a call may never change anything. `neutral`: as the right operand of
 * a compound assignment, it changes the variable on some input. `hidden`: its value cannot be observed. `default`: it
 * is a literal and the default value of a parameter, which inputs cannot show.
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
  /**
   * The parts that are copied from the file, in order: the offset of each in `code`, its offset in the file, and its
   * length.
   */
  readonly parts: readonly (readonly [from: number, original: number, length: number])[];
}

/** Name of the global function that notes values. Compared code is unlikely to have this name. */
export const OBSERVER = '__selfwareObserve__';

/** A bit of the observations of an expression: it was evaluated. */
export const EVALUATED = 1;
/** A bit: the value was true, or null or undefined for the kind `nullish`. */
export const WAS_TRUE = 2;
/** A bit: the value was false, or neither null nor undefined for the kind `nullish`. */
export const WAS_FALSE = 4;
/** A bit: the value was of a kind that is not compared with operands, or changed something. */
export const WAS_OTHER = 8;
/** A bit that is shifted by the index of an operand: the value differed from this operand. */
export const DIFFERS_FROM_FIRST = 16;
/** Maximum number of operands with which a value is compared. */
export const MAX_OPERANDS = 8;

/** The offset in the original file for an offset in the code that notes values. */
export function toOriginalOffset({ parts }: ObservedCode, offset: number): number {
  const part = parts.findLast(([from]) => from <= offset);
  if (!part) return 0;
  const [from, original, length] = part;
  return original + Math.min(offset - from, length);
}
