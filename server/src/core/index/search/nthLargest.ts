// Finds the n-th largest number without sorting all of them.

/** Number of buckets into which the numbers are counted by size. */
const BUCKET_COUNT = 2_048;

/** The n-th largest of some non-negative numbers; 0 if there are fewer. */
export function findNthLargest(values: Float64Array, n: number): number {
  if (values.length < n) return 0;
  let largest = 0;
  for (let index = 0; index < values.length; index++) if (values[index]! > largest) largest = values[index]!;
  const scale = (BUCKET_COUNT - 1) / largest;
  // Numbers that are too small for a scale count as zero.
  if (!Number.isFinite(scale)) return 0;
  const counts = new Uint32Array(BUCKET_COUNT);
  for (let index = 0; index < values.length; index++) counts[Math.trunc(values[index]! * scale)]!++;
  let bucket = BUCKET_COUNT - 1;
  let aboveCount = 0;
  while (aboveCount + counts[bucket]! < n) aboveCount += counts[bucket--]!;
  const bucketValues = new Float64Array(counts[bucket]!);
  for (let index = 0, filled = 0; filled < bucketValues.length; index++)
    if (Math.trunc(values[index]! * scale) === bucket) bucketValues[filled++] = values[index]!;
  return bucketValues.sort()[bucketValues.length - (n - aboveCount)]!;
}
