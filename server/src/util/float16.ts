// Converts vectors to half precision (IEEE 754 binary16) for storage, and back. Halves take half the bytes of floats,
// with a relative error of at most 2⁻¹¹ for numbers from 2⁻¹⁴ to 65504.

/** Bits of 2⁻¹⁴. Smaller numbers become multiples of 2⁻²⁴. */
const MIN_NORMAL = 0x3880_0000;
/** Bits of 65536, the first number that is too large for a half. */
const TOO_LARGE = 0x4780_0000;
/** Bits of the half for infinity. */
const INFINITY_BITS = 0x7c00;
/** Bits of a half that is not a number. */
const NOT_A_NUMBER = 0x7e00;
/**
 * This is added to the bits of a float: it changes the bias of the exponent from 127 to 15 and rounds to the nearest
 * half. `encodeFloat16` adds 1 more for an odd half, so that ties are rounded to even.
 */
const REBIAS = ((15 - 127) << 23) + 0xfff;

/** Converts a float to its bits: it shares its memory with `scratchBits`. */
const scratch = new Float32Array(1);
/** The bits of `scratch`. */
const scratchBits = new Uint32Array(scratch.buffer);
/** The result of `decodeAllFloat16s`; null until it is first needed. */
let decodingTable: Float32Array | null = null;

/** Writes `numbers` as halves into `target`, starting at `position`. */
export function encodeFloat16s(numbers: Float32Array, target: Uint16Array, position: number): void {
  for (let index = 0; index < numbers.length; index++) target[position + index] = encodeFloat16(numbers[index]!);
}

/** Converts halves to numbers, in a new array. */
export function decodeFloat16s(halves: Uint16Array): Float32Array {
  const table = (decodingTable ??= decodeAllFloat16s());
  const numbers = new Float32Array(halves.length);
  for (let index = 0; index < halves.length; index++) numbers[index] = table[halves[index]!]!;
  return numbers;
}

/** The scalar product of a vector of halves and a vector of floats. */
export function dotFloat16(halves: Uint16Array, floats: Float32Array): number {
  const table = (decodingTable ??= decodeAllFloat16s());
  let sum = 0;
  for (let index = 0; index < floats.length; index++) sum += table[halves[index]!]! * floats[index]!;
  return sum;
}

/** The bits of the half that is nearest to the number. */
function encodeFloat16(number: number): number {
  scratch[0] = number;
  const bits = scratchBits[0]!;
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fff_ffff;
  if (magnitude >= TOO_LARGE) return sign | (magnitude > 0x7f80_0000 ? NOT_A_NUMBER : INFINITY_BITS);
  if (magnitude < MIN_NORMAL) return sign | Math.round(Math.abs(scratch[0]!) * 2 ** 24);
  return sign | ((magnitude + REBIAS + ((magnitude >>> 13) & 1)) >>> 13);
}

/** The number that each half stands for, indexed by the bits of the half. The table takes 256 KiB. */
function decodeAllFloat16s(): Float32Array {
  const table = new Float32Array(65_536);
  for (let bits = 0; bits < table.length; bits++) {
    const exponent = (bits >>> 10) & 31;
    const fraction = bits & 1023;
    const magnitude =
      exponent === 0
        ? fraction * 2 ** -24
        : exponent === 31
          ? fraction === 0
            ? Infinity
            : NaN
          : (1 + fraction / 1024) * 2 ** (exponent - 15);
    table[bits] = bits & 0x8000 ? -magnitude : magnitude;
  }
  return table;
}
