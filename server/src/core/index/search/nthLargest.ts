// Finds the n-th largest number without sorting all of them.

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
  let above = 0;
  while (above + counts[bucket]! < n) above += counts[bucket--]!;
  const same = new Float64Array(counts[bucket]!);
  for (let at = 0, found = 0; found < same.length; at++)
    if (Math.trunc(values[at]! * scale) === bucket) same[found++] = values[at]!;
  return same.sort()[same.length - (n - above)]!;
}
