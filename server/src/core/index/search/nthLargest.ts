// A threshold without sorting everything.

/** As many times n are collected before the smaller ones are dropped. */
const ROOM = 4;

/** The n-th largest of numbers that are not negative; 0 when there are fewer. */
export function nthLargest(values: Float64Array, n: number): number {
  const kept = new Float64Array(ROOM * n);
  let count = 0;
  let least = 0;
  for (let at = 0; at < values.length; at++) {
    if (values[at]! <= least) continue;
    kept[count++] = values[at]!;
    if (count < kept.length) continue;
    kept.sort();
    kept.copyWithin(0, count - n);
    least = kept[0]!;
    count = n;
  }
  return count < n ? 0 : kept.subarray(0, count).sort()[count - n]!;
}
