// Computes BLEU, the similarity of answers of a model to known answers, by the sequences of words that they share:
// Papineni et al., "BLEU: a Method for Automatic Evaluation of Machine Translation", 2002, over the whole corpus. One
// is added to each count except that of single words (Lin and Och 2004), because short answers share no long n-gram.

/** Maximum number of words of an n-gram. */
const MAX_WORDS = 4;

/** The score from 0 to 1; null if there are no pairs. `pairs`: [answer, known answer]. */
export function computeBleu(pairs: readonly (readonly [answer: string, known: string])[]): number | null {
  if (pairs.length === 0) return null;
  const wordPairs = pairs.map(([answer, reference]) => [collectWords(answer), collectWords(reference)] as const);
  const length = sum(wordPairs.map(([answer]) => answer.length));
  const referenceLength = sum(wordPairs.map(([, reference]) => reference.length));
  if (length === 0) return referenceLength === 0 ? 1 : 0;
  let logs = 0;
  for (let size = 1; size <= MAX_WORDS; size += 1) {
    const sharedCount = sum(wordPairs.map(([answer, reference]) => countSharedGrams(answer, reference, size)));
    const totalGrams = sum(wordPairs.map(([answer]) => Math.max(0, answer.length - size + 1)));
    const smoothing = size === 1 ? 0 : 1;
    logs += Math.log((sharedCount + smoothing) / (totalGrams + smoothing)) / MAX_WORDS;
  }
  return Math.min(1, Math.exp(1 - referenceLength / length)) * Math.exp(logs);
}

/** The words and punctuation marks of a text. */
function collectWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/**
 * Number of n-grams of `size` words that the answer and the reference share. An n-gram counts as often as it occurs in
 * both.
 */
function countSharedGrams(answer: readonly string[], reference: readonly string[], size: number): number {
  const unmatchedGrams = collectGrams(reference, size);
  let sharedCount = 0;
  for (const [gram, count] of collectGrams(answer, size)) sharedCount += Math.min(count, unmatchedGrams.get(gram) ?? 0);
  return sharedCount;
}

function collectGrams(words: readonly string[], size: number): Map<string, number> {
  const grams = new Map<string, number>();
  for (let index = 0; index + size <= words.length; index += 1) {
    const gram = words.slice(index, index + size).join(' ');
    grams.set(gram, (grams.get(gram) ?? 0) + 1);
  }
  return grams;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
