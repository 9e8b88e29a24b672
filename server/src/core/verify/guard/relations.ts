// Maps comparison operators to the operators by which a mutant replaces them, in languages that write them as C does.

/**
 * Maps each comparison operator to its replacements in Offutt's sufficient set (TOSEM 1996). If there are two, the
 * first gives another result only for equal operands.
 */
export const RELATION_REPLACEMENTS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
};

/** A branch that only returns, assigns, or is the value of an expression. */
export interface Branch {
  readonly kind: 'return' | 'assignment' | 'value';
  /** The target of an assignment; empty for the other kinds. */
  readonly target: string;
  readonly value: string;
}

/** Matches a name or a number. A member is excluded, because it may be computed each time that it is read or set. */
const PLAIN_OPERAND = /^(?:[\p{L}_$][\p{L}\p{N}_$]*|-?\d[\d_]*(?:\.\d+)?)$/u;

/**
 * The operators that replace this one. If both branches have a compared operand as their value, as in `if (a > b)
 * return b; return a`, omits the operator that differs only for equal operands, because no test notices it for numbers
 * and strings. `otherwise`: the branch that runs if the comparison is false; null if it is unknown or missing.
 */
export function replaceRelation(
  operator: string,
  operands: readonly [string, string],
  branches: { readonly then: Branch | null; readonly otherwise: Branch | null },
): readonly string[] {
  const replacements = Object.hasOwn(RELATION_REPLACEMENTS, operator) ? RELATION_REPLACEMENTS[operator]! : [];
  const differsOnlyIfEqual = replacements.length === 2 && choosesOperand(operands, branches.then, branches.otherwise);
  return differsOnlyIfEqual ? replacements.slice(1) : replacements;
}

/** The branch that leaves the target of an assignment unchanged; null if `then` is not an assignment. */
export function createUnchangedBranch(then: Branch | null): Branch | null {
  return then?.kind === 'assignment' ? { ...then, value: then.target } : null;
}

/** True if both branches return, assign or evaluate to one of the compared operands, which are plain. */
function choosesOperand(operands: readonly [string, string], then: Branch | null, otherwise: Branch | null): boolean {
  if (!then || !otherwise || then.kind !== otherwise.kind || then.target !== otherwise.target) return false;
  return (
    operands.every((text) => PLAIN_OPERAND.test(text)) &&
    [then, otherwise].every(({ value }) => operands.includes(value))
  );
}
