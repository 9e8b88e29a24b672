// Formats coverage: shares in percent, and lines in ranges.

/** A share in percent, such as `87.5 %`; `0.0 %` if both numbers are 0. */
export function formatPercent(part: number, total: number): string {
  return `${((part / Math.max(1, total)) * 100).toFixed(1)} %`;
}

/** Ranges of ascending line numbers, with both ends: `[3, 4, 5, 9]` → `3-5`, `9`. */
export function formatRanges(lines: readonly number[]): readonly string[] {
  const ranges: { from: number; to: number }[] = [];
  for (const line of lines) {
    const lastRange = ranges.at(-1);
    if (lastRange && line === lastRange.to + 1) lastRange.to = line;
    else ranges.push({ from: line, to: line });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`));
}
