// Keeps the start and the end of a stream, because people and parsers look for the first failure and the summary.

/** Collects one stream of output, up to a number of bytes. */
export interface OutputCollector {
  push(chunk: Uint8Array): void;
  /** The collected output. Bytes that are not UTF-8 become replacement characters. */
  text(): string;
}

/**
 * Creates a collector that keeps about `maxBytes` bytes. The middle of longer output is omitted, and the text states
 * how many bytes that are.
 */
export function createOutputCollector(maxBytes: number): OutputCollector {
  const maxHalfBytes = Math.max(1, Math.floor(maxBytes / 2));
  const headChunks: Uint8Array[] = [];
  let headBytes = 0;
  let tailChunks: Uint8Array[] = [];
  let tailBytes = 0;
  let omittedBytes = 0;
  return {
    push(chunk) {
      const headPart = chunk.subarray(0, Math.max(0, maxHalfBytes - headBytes));
      if (headPart.byteLength > 0) headChunks.push(headPart);
      headBytes += headPart.byteLength;
      const tailPart = chunk.subarray(headPart.byteLength);
      if (tailPart.byteLength === 0) return;
      tailChunks.push(tailPart);
      tailBytes += tailPart.byteLength;
      // Trimmed only occasionally, so that many small chunks do not cost a copy each.
      if (tailBytes > 2 * maxHalfBytes) trim();
    },
    text() {
      trim();
      const middle = omittedBytes > 0 ? [Buffer.from(`\n… ${omittedBytes} bytes left out …\n`)] : [];
      return Buffer.concat([...headChunks, ...middle, ...tailChunks]).toString('utf8');
    },
  };

  function trim(): void {
    if (tailBytes <= maxHalfBytes) return;
    const joinedTail = Buffer.concat(tailChunks);
    const keptTail = joinedTail.subarray(joinedTail.byteLength - maxHalfBytes);
    omittedBytes += joinedTail.byteLength - keptTail.byteLength;
    tailChunks = [Buffer.from(keptTail)];
    tailBytes = keptTail.byteLength;
  }
}
