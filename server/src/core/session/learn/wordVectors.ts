// Compares words by the vectors of the shipped table. Words of people must not be sent to a provider for this, so the
// embedder that the settings name for the search is used only if it is that table.

import type { SessionContext } from '../context.ts';

/** The cosine of two texts. Both must be among the texts that were embedded; otherwise 0. */
export type Similarity = (words: string, otherWords: string) => number;

/**
 * Embeds the texts, and returns the function that compares them. Without the shipped table, the function always returns
 * 0.
 */
export async function createSimilarity(
  { ports: { embedder, wordEmbedder } }: Pick<SessionContext, 'ports'>,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Similarity> {
  const wordVectors = wordEmbedder ?? (embedder.source === 'terms' ? embedder : null);
  if (wordVectors === null || texts.length < 2) return () => 0;
  const embedded = await wordVectors.embed(texts, signal);
  const vectors = new Map(texts.map((text, index) => [text, embedded[index]]));
  return (words, otherWords) => {
    const [vector, otherVector] = [vectors.get(words), vectors.get(otherWords)];
    return vector && otherVector ? vector.reduce((sum, value, index) => sum + value * (otherVector[index] ?? 0), 0) : 0;
  };
}
