// A threshold without sorting everything.

const BUCKETS = 1_024;

/** The n-th largest of numbers that are not negative; 0 when there are fewer. */
export function nthLargest(values: Float64Array, n: number): number {
  if (values.length < n) return 0;
  let largest = 0;
  for (const value of values) if (value > largest) largest = value;
  if (largest === 0) return 0;
  const bucketOf = (value: number): number => Math.floor((value / largest) * (BUCKETS - 1));
  const counts = new Uint32Array(BUCKETS);
  for (const value of values) counts[bucketOf(value)]!++;
  let bucket = BUCKETS - 1;
  let above = 0;
  while (above + counts[bucket]! < n) above += counts[bucket--]!;
  return values.filter((value) => bucketOf(value) === bucket).sort()[counts[bucket]! - (n - above)]!;
}
