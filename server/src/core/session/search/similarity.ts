// Measures how similar two pieces of code are, by their search vectors.

import type { CodePlace, ProjectView } from '../../analysis/project/projectView.ts';
import type { SessionContext } from '../context.ts';

/**
 * Creates a function that computes the cosine of the vectors of two places. The result is null if a file cannot be
 * read. It is also null for every embedder except the shipped one, because whole repositories must not be sent to a
 * provider for this.
 */
export function createSimilarity(
  { ports: { embedder } }: SessionContext,
  read: (path: string) => Promise<string | null>,
  signal: AbortSignal,
): NonNullable<ProjectView['similarity']> {
  const readPlace = async ({ path, startLine, endLine }: CodePlace) =>
    (await read(path))
      ?.split('\n')
      .slice(startLine - 1, endLine)
      .join('\n') ?? null;
  return async (a, b) => {
    if (embedder.source !== 'terms') return null;
    const [textOfA, textOfB] = [await readPlace(a), await readPlace(b)];
    if (textOfA === null || textOfB === null) return null;
    const [left, right] = (await embedder.embed([textOfA, textOfB], signal)) as [Float32Array, Float32Array];
    return left.reduce((sum, value, index) => sum + value * right[index]!, 0);
  };
}
