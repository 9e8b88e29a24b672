// How similar two pieces of code are, by the vectors that also serve the search.

import type { CodePlace, ProjectView } from '../../analysis/project/projectView.ts';
import type { SessionContext } from '../context.ts';

/**
 * Vectors are unit length: their product is the cosine. Only by what works on this machine: whole repositories are not
 * sent to a provider for this.
 */
export function likenessIn(
  { ports: { embedder } }: SessionContext,
  read: (path: string) => Promise<string | null>,
  signal: AbortSignal,
): NonNullable<ProjectView['likeness']> {
  const textOf = async ({ path, startLine, endLine }: CodePlace) =>
    (await read(path))
      ?.split('\n')
      .slice(startLine - 1, endLine)
      .join('\n') ?? null;
  return async (a, b) => {
    if (embedder.source !== 'terms') return null;
    const [one, other] = [await textOf(a), await textOf(b)];
    if (one === null || other === null) return null;
    const [left, right] = (await embedder.embed([one, other], signal)) as [Float32Array, Float32Array];
    return left.reduce((sum, value, at) => sum + value * right[at]!, 0);
  };
}
