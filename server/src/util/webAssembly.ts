// A small assembler for loops over vectors of 128 bits: it builds WebAssembly modules instruction by instruction,
// without a compiler. Source: WebAssembly Core Specification 2.0, chapter 5 (binary format).

/**
 * The part of the WebAssembly API that this file uses. It is declared here, because the types of Node do not contain
 * it.
 */
interface WebAssemblyApi {
  readonly Memory: new (size: { readonly initial: number }) => LaneMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: unknown };
}
const { Memory, Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;

/** Number of bytes of a page of memory. */
export const PAGE_BYTES = 65_536;

/** The memory of an assembled module. */
export interface LaneMemory {
  readonly buffer: ArrayBuffer;
  /** Adds this many pages. Returns the number of pages before; afterwards, `buffer` is a new object. */
  grow(pages: number): number;
}

/** A function of a module. */
export interface LaneFunction {
  readonly name: string;
  readonly parameters: readonly number[];
  /** Groups of local variables in addition to the parameters. */
  readonly locals: readonly (readonly [count: number, type: number])[];
  readonly code: readonly number[];
}

/** Codes of the types of parameters and local variables: 32-bit integer, 32-bit float and 128-bit vector. */
export const I32 = 0x7f,
  F32 = 0x7d,
  V128 = 0x7b;

/** Compiled modules by the list of their functions, so that later callers with the same list reuse them. */
const compiledModules = new WeakMap<readonly LaneFunction[], object>();

/** Compiles the functions once, and returns them with a memory of their own of at least this many bytes. */
export function assembleModule<T>(
  functions: readonly LaneFunction[],
  bytes: number,
): T & { readonly memory: LaneMemory } {
  let module = compiledModules.get(functions);
  if (!module) compiledModules.set(functions, (module = new Module(encodeModule(functions))));
  const memory = new Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  const { exports } = new Instance(module, { e: { m: memory } });
  return { ...(exports as T), memory };
}

/** The bytes of a module: the header, then the sections for types, the imported memory, functions, exports and code. */
function encodeModule(functions: readonly LaneFunction[]): Uint8Array {
  const count = functions.length;
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...encodeSection(1, [count, ...functions.flatMap(({ parameters }) => [0x60, ...encodeVector(parameters), 0])]),
    ...encodeSection(2, [1, ...encodeName('e'), ...encodeName('m'), 2, 0, 1]),
    ...encodeSection(3, [count, ...functions.map((_, index) => index)]),
    ...encodeSection(7, [count, ...functions.flatMap(({ name }, index) => [...encodeName(name), 0, index])]),
    ...encodeSection(10, [
      count,
      ...functions.flatMap(({ locals, code }) => encodeVector([locals.length, ...locals.flat(), ...code, 0x0b])),
    ]),
  ]);
}

/**
 * The instruction, as bytes, that pushes a local variable onto the stack (`local.get`). The constants and functions
 * below are instructions as well.
 */
export const getLocal = (local: number): number[] => [0x20, local];
/** Moves the top of the stack into a local variable (`local.set`). */
export const setLocal = (local: number): number[] => [0x21, local];
/** Pushes a non-negative whole number (`i32.const`). */
export const pushConstant = (value: number): number[] => [0x41, ...encodeSigned(value)];
/** Adds the two 32-bit integers on top of the stack (`i32.add`). */
export const add: readonly number[] = [0x6a];
/** Multiplies the two 32-bit integers on top of the stack (`i32.mul`). */
export const multiply: readonly number[] = [0x6c];
/** Combines the bits of the two 32-bit integers on top of the stack (`i32.or`). */
export const or: readonly number[] = [0x72];
/** Pushes 1 if the 32-bit integer on top of the stack is 0, otherwise 0 (`i32.eqz`). */
export const isZero: readonly number[] = [0x45];
/** The lane instruction with this number in the specification. */
export const laneInstruction = (operation: number): number[] => [0xfd, ...encodeLeb128(operation)];
/** Loads 128 bits from the address on the stack (`v128.load`). */
export const loadVector = (offset = 0): number[] => [0xfd, 0x00, 4, ...encodeLeb128(offset)];
/** Stores 128 bits at an address (`v128.store`). */
export const storeVector = (offset = 0): number[] => [0xfd, 0x0b, 4, ...encodeLeb128(offset)];
/** Pushes 128 zero bits (`v128.const`). */
export const zeroVector = (): number[] => [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
/** Loads the 32-bit number at an address into all lanes (`v128.load32_splat`). */
export const loadSplat = (offset = 0): number[] => [0xfd, 0x09, 2, ...encodeLeb128(offset)];
/** Loads a 32-bit integer (`i32.load`). */
export const loadInteger = (): number[] => [0x28, 2, 0];
/** Loads a 32-bit float (`f32.load`). */
export const loadFloat = (offset = 0): number[] => [0x2a, 2, ...encodeLeb128(offset)];
/** Stores a 32-bit integer (`i32.store`). */
export const storeInteger = (): number[] => [0x36, 2, 0];
/** Stores the low 16 bits of an integer (`i32.store16`). */
export const storeShort = (): number[] => [0x3b, 1, 0];
/** Stores the low 8 bits of an integer (`i32.store8`). */
export const storeByte = (): number[] => [0x3a, 0, 0];
/** Pushes the sum of the four 32-bit integers in a local variable. */
export const addLanes = (local: number): number[] =>
  [0, 1, 2, 3].flatMap((index) => [...getLocal(local), 0xfd, 0x1b, index, ...(index > 0 ? add : [])]);
/** Pushes one of the four floats of the vector on top of the stack (`f32x4.extract_lane`). */
export const extractLane = (index: number): number[] => [0xfd, 0x1f, index];
/** Adds a constant to a local variable. */
export const advance = (local: number, by: number): number[] => [
  ...getLocal(local),
  ...pushConstant(by),
  ...add,
  ...setLocal(local),
];
/** Repeats the code until one local variable is at least as large as another. The code runs at least once. */
export const loopUntil = (positionLocal: number, endLocal: number, code: readonly number[]): number[] => [
  0x03,
  0x40,
  ...code,
  ...getLocal(positionLocal),
  ...getLocal(endLocal),
  0x49,
  0x0d,
  0,
  0x0b,
];

/** Numbers of the lane instructions for arithmetic on floats. */
export const SPLAT = 0x13, // f32x4.splat
  ADD = 0xe4, // f32x4.add
  SUBTRACT = 0xe5, // f32x4.sub
  MULTIPLY = 0xe6, // f32x4.mul
  DIVIDE = 0xe7, // f32x4.div
  ROOT = 0xe3; // f32x4.sqrt
/** Numbers of the lane instructions that convert bytes to floats. */
export const LOW_BYTES = 0x87, // i16x8.extend_low_i8x16_s
  HIGH_BYTES = 0x88, // i16x8.extend_high_i8x16_s
  LOW_SHORTS = 0xa7, // i32x4.extend_low_i16x8_s
  HIGH_SHORTS = 0xa8, // i32x4.extend_high_i16x8_s
  TO_FLOAT = 0xfa; // f32x4.convert_i32x4_s
/** Numbers of the lane instructions that quantise floats to bytes. */
export const ABSOLUTE = 0xe0, // f32x4.abs
  LARGER = 0xe9, // f32x4.max
  GREATER = 0x44, // f32x4.gt
  FLOOR = 0x68, // f32x4.floor
  TRUNCATED = 0xf8, // i32x4.trunc_sat_f32x4_s
  SHORTS_OF_INTEGERS = 0x85, // i16x8.narrow_i32x4_s
  BYTES_OF_SHORTS = 0x65, // i8x16.narrow_i16x8_s
  TOP_BITS = 0x64; // i8x16.bitmask
/** Numbers of the lane instructions that compare bits and multiply integers. */
export const XOR = 0x51, // v128.xor
  COUNT_ONES = 0x62, // i8x16.popcnt
  ADD_PAIRS_OF_BYTES = 0x7d, // i16x8.extadd_pairwise_i8x16_u
  ADD_PAIRS_OF_SHORTS = 0x7f, // i32x4.extadd_pairwise_i16x8_u
  ADD_INTEGERS = 0xae, // i32x4.add
  DOT_SHORTS = 0xba; // i32x4.dot_i16x8_s

/** A vector of the binary format: its length, then its bytes. */
const encodeVector = (bytes: readonly number[]): number[] => [...encodeLeb128(bytes.length), ...bytes];
/** A section: its id, then its content as a vector. */
const encodeSection = (id: number, bytes: readonly number[]): number[] => [id, ...encodeVector(bytes)];
/** A name: its UTF-8 bytes as a vector. */
const encodeName = (name: string): number[] => encodeVector([...new TextEncoder().encode(name)]);

/** The unsigned LEB128 code of a number. */
function encodeLeb128(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...encodeLeb128(value >>> 7)];
}

/** The signed LEB128 code of a non-negative number: the sign bit of the last byte stays clear. */
function encodeSigned(value: number): number[] {
  return value < 64 ? [value] : [(value & 127) | 128, ...encodeSigned(value >>> 7)];
}
