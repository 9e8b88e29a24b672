// Keeps the start and the end of a stream, because people and parsers look for the first failure and the summary.

export interface OutputCollector {
  push(chunk: Uint8Array): void;
  text(): string;
}

/** Keeps at most `maxBytes` bytes; the middle of longer output is cut, and the text states how much. */
export function createOutputCollector(maxBytes: number): OutputCollector {
  const half = Math.max(1, Math.floor(maxBytes / 2));
  const head: Uint8Array[] = [];
  let headBytes = 0;
  let tail: Uint8Array[] = [];
  let tailBytes = 0;
  let leftOut = 0;
  return {
    push(chunk) {
      const taken = chunk.subarray(0, Math.max(0, half - headBytes));
      if (taken.byteLength > 0) head.push(taken);
      headBytes += taken.byteLength;
      const rest = chunk.subarray(taken.byteLength);
      if (rest.byteLength === 0) return;
      tail.push(rest);
      tailBytes += rest.byteLength;
      // Trimmed only occasionally, so that many small chunks do not cost a copy each.
      if (tailBytes > 2 * half) trim();
    },
    text() {
      trim();
      const middle = leftOut > 0 ? [Buffer.from(`\n… ${leftOut} bytes left out …\n`)] : [];
      return Buffer.concat([...head, ...middle, ...tail]).toString('utf8');
    },
  };

  function trim(): void {
    if (tailBytes <= half) return;
    const all = Buffer.concat(tail);
    const kept = all.subarray(all.byteLength - half);
    leftOut += all.byteLength - kept.byteLength;
    tail = [Buffer.from(kept)];
    tailBytes = kept.byteLength;
  }
}
