// Finds the n-th largest number without sorting all of them.

/** Number of buckets into which the numbers are counted by size. */
const BUCKETS = 2_048;

/** The n-th largest of some non-negative numbers; 0 if there are fewer. */
export function nthLargest(values: Float64Array, n: number): number {
  if (values.length < n) return 0;
  let largest = 0;
  for (let at = 0; at < values.length; at++) if (values[at]! > largest) largest = values[at]!;
  const scale = (BUCKETS - 1) / largest;
  // Numbers that are too small for a scale count as zero.
  if (!Number.isFinite(scale)) return 0;
  const counts = new Uint32Array(BUCKETS);
  for (let at = 0; at < values.length; at++) counts[Math.trunc(values[at]! * scale)]!++;
  let bucket = BUCKETS - 1;
  let aboveCount = 0;
  while (aboveCount + counts[bucket]! < n) aboveCount += counts[bucket--]!;
  const bucketValues = new Float64Array(counts[bucket]!);
  for (let at = 0, filled = 0; filled < bucketValues.length; at++)
    if (Math.trunc(values[at]! * scale) === bucket) bucketValues[filled++] = values[at]!;
  return bucketValues.sort()[bucketValues.length - (n - aboveCount)]!;
}
