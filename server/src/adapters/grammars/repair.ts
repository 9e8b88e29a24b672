// Repairs defects of a packaged grammar before it is used or shipped.

/**
 * The scanner of Swift allocates its state by `calloc(0, 4)`, which reserves nothing. What it stores there overwrites
 * other data, and after the first file every `#if` is parsed as a string. In the wasm, the only such call (i32.const 0,
 * i32.const 4, call) becomes `calloc(1, 4)`.
 */
const SWIFT_STATE_CALL: readonly number[] = [0x41, 0x00, 0x41, 0x04, 0x10];

/** The bytes unchanged, or a repaired copy. Throws if a grammar that needs repair is not the known version. */
export function repairGrammar(language: string, wasm: Uint8Array): Uint8Array {
  if (language !== 'swift') return wasm;
  const offsets = collectOffsets(wasm, SWIFT_STATE_CALL);
  if (offsets.length !== 1)
    throw new Error(
      `The Swift grammar is not the expected one: its scanner's state was found ${offsets.length} times.`,
    );
  const repaired = new Uint8Array(wasm);
  repaired[offsets[0]! + 1] = 1;
  return repaired;
}

function collectOffsets(bytes: Uint8Array, pattern: readonly number[]): number[] {
  const places: number[] = [];
  for (let index = bytes.indexOf(pattern[0]!); index >= 0; index = bytes.indexOf(pattern[0]!, index + 1))
    if (pattern.every((byte, offset) => bytes[index + offset] === byte)) places.push(index);
  return places;
}
