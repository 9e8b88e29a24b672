// Scales vectors to length 1, as every embedder promises.

/** Scales the vector in place. A vector whose length is zero or not finite becomes the first axis. */
export function normaliseVector(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (!(sum > 0 && Number.isFinite(sum))) {
    vector.fill(0);
    vector[0] = 1;
    return vector;
  }
  const factor = 1 / Math.sqrt(sum);
  for (let index = 0; index < vector.length; index++) vector[index]! *= factor;
  return vector;
}
