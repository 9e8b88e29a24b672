// One complaint of a type checker or linter, without its line: a change moves lines.

export interface Problem {
  readonly path: string;
  /** Diagnostic code or rule. */
  readonly code: string;
  readonly message: string;
}

/** Problems of `after` that `before` does not have, as multisets under `keyOf`. */
export function added(before: readonly Problem[], after: readonly Problem[], keyOf: (problem: Problem) => string): Problem[] {
  const left = new Map<string, number>();
  for (const problem of before) left.set(keyOf(problem), (left.get(keyOf(problem)) ?? 0) + 1);
  return after.filter((problem) => {
    const count = left.get(keyOf(problem)) ?? 0;
    left.set(keyOf(problem), count - 1);
    return count <= 0;
  });
}
