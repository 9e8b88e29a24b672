// Comparisons, and the others by which a mutant replaces each, in languages that write them as C does.

/** By Offutt's sufficient set (TOSEM 1996). The first of two differs only where both operands are equal. */
export const RELATION_REPLACEMENTS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
};

/** What a branch does, if it is nothing but to return, assign or be the text of an expression. */
export interface Branch {
  readonly kind: 'return' | 'assignment' | 'value';
  /** What is assigned to; empty for the other kinds. */
  readonly target: string;
  readonly value: string;
}

/** A name or a number. A member may be computed anew whenever it is read or set. */
const PLAIN_OPERAND = /^(?:[\p{L}_$][\p{L}\p{N}_$]*|-?\d[\d_]*(?:\.\d+)?)$/u;

/**
 * The comparisons that replace this one. Where both branches have one of the compared operands as their value, as in
 * `if (a > b) return b; return a`, none that differs only for equal operands: of numbers and texts, no test notices it.
 * `otherwise`: the branch that follows if the comparison is false; null if it is not known, or there is none.
 */
export function replaceRelation(
  operator: string,
  operands: readonly [string, string],
  branches: { readonly then: Branch | null; readonly otherwise: Branch | null },
): readonly string[] {
  const replacements = Object.hasOwn(RELATION_REPLACEMENTS, operator) ? RELATION_REPLACEMENTS[operator]! : [];
  const isSame = replacements.length === 2 && choosesOperand(operands, branches.then, branches.otherwise);
  return isSame ? replacements.slice(1) : replacements;
}

/** The branch that leaves the target of an assignment as it is. */
export function keepTarget(then: Branch | null): Branch | null {
  return then?.kind === 'assignment' ? { ...then, value: then.target } : null;
}

function choosesOperand(operands: readonly [string, string], then: Branch | null, otherwise: Branch | null): boolean {
  if (!then || !otherwise || then.kind !== otherwise.kind || then.target !== otherwise.target) return false;
  return (
    operands.every((text) => PLAIN_OPERAND.test(text)) &&
    [then, otherwise].every(({ value }) => operands.includes(value))
  );
}
