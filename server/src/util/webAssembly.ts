// Provides a tiny assembler for loops over 128-bit lanes: it builds WebAssembly modules instruction by instruction,
// without a compiler. WebAssembly Core Specification 2.0, chapter 5 (binary format).

/** The used part of the runtime, because the compiler's library for Node does not describe it. */
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
  /** Adds this many pages; afterwards, `buffer` is a new object. */
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

/** Types of parameters and local variables. */
export const I32 = 0x7f,
  F32 = 0x7d,
  V128 = 0x7b;

/** Compiled modules by their functions, so that later callers reuse them. */
const modules = new WeakMap<readonly LaneFunction[], object>();

/** Functions with their own memory of at least this many bytes. */
export function assembleModule<T>(
  functions: readonly LaneFunction[],
  bytes: number,
): T & { readonly memory: LaneMemory } {
  let module = modules.get(functions);
  if (!module) modules.set(functions, (module = new Module(encodeModule(functions))));
  const memory = new Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  const { exports } = new Instance(module, { e: { m: memory } });
  return { ...(exports as T), memory };
}

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
    ...section(1, [count, ...functions.flatMap(({ parameters }) => [0x60, ...list(parameters), 0])]),
    ...section(2, [1, ...text('e'), ...text('m'), 2, 0, 1]),
    ...section(3, [count, ...functions.map((_, index) => index)]),
    ...section(7, [count, ...functions.flatMap(({ name }, index) => [...text(name), 0, index])]),
    ...section(10, [
      count,
      ...functions.flatMap(({ locals, code }) => list([locals.length, ...locals.flat(), ...code, 0x0b])),
    ]),
  ]);
}

/** The instructions. Instructions without a comment are named as in the specification. */
export const get = (local: number): number[] => [0x20, local];
export const set = (local: number): number[] => [0x21, local];
export const constant = (value: number): number[] => [0x41, ...encodeSigned(value)];
export const add: readonly number[] = [0x6a];
export const multiply: readonly number[] = [0x6c];
export const or: readonly number[] = [0x72];
export const isZero: readonly number[] = [0x45];
/** A lane instruction by its number in the specification. */
export const lanes = (operation: number): number[] => [0xfd, ...encodeLeb128(operation)];
export const load = (offset = 0): number[] => [0xfd, 0x00, 4, ...encodeLeb128(offset)];
export const store = (offset = 0): number[] => [0xfd, 0x0b, 4, ...encodeLeb128(offset)];
export const zeroVector = (): number[] => [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
/** Loads the 32-bit number at an address into all lanes. */
export const loadSplat = (offset = 0): number[] => [0xfd, 0x09, 2, ...encodeLeb128(offset)];
export const loadInteger = (): number[] => [0x28, 2, 0];
export const loadFloat = (offset = 0): number[] => [0x2a, 2, ...encodeLeb128(offset)];
/** Converts a 32-bit float to 64 bits. */
export const promote: readonly number[] = [0xbb];
export const storeInteger = (): number[] => [0x36, 2, 0];
export const storeShort = (): number[] => [0x3b, 1, 0];
export const storeByte = (): number[] => [0x3a, 0, 0];
/** Adds the four 32-bit numbers of a local. */
export const addLanes = (local: number): number[] =>
  [0, 1, 2, 3].flatMap((index) => [...get(local), 0xfd, 0x1b, index, ...(index > 0 ? add : [])]);
export const lane = (index: number): number[] => [0xfd, 0x1f, index];
export const advance = (local: number, by: number): number[] => [...get(local), ...constant(by), ...add, ...set(local)];
/** Repeats the code until local `at` reaches local `end`. The code runs at least once. */
export const loopUntil = (at: number, end: number, code: readonly number[]): number[] => [
  0x03,
  0x40,
  ...code,
  ...get(at),
  ...get(end),
  0x49,
  0x0d,
  0,
  0x0b,
];

/** Numbers of the lane instructions in use. */
export const SPLAT = 0x13,
  ADD = 0xe4,
  SUBTRACT = 0xe5,
  MULTIPLY = 0xe6,
  DIVIDE = 0xe7,
  ROOT = 0xe3;
export const LOW_BYTES = 0x87,
  HIGH_BYTES = 0x88,
  LOW_SHORTS = 0xa7,
  HIGH_SHORTS = 0xa8,
  TO_FLOAT = 0xfa;
export const ABSOLUTE = 0xe0,
  LARGER = 0xe9,
  GREATER = 0x44,
  FLOOR = 0x68,
  TRUNCATED = 0xf8,
  SHORTS_OF_INTEGERS = 0x85,
  BYTES_OF_SHORTS = 0x65,
  TOP_BITS = 0x64;
export const XOR = 0x51,
  COUNT_ONES = 0x62,
  ADD_PAIRS_OF_BYTES = 0x7d,
  ADD_PAIRS_OF_SHORTS = 0x7f,
  ADD_INTEGERS = 0xae,
  DOT_SHORTS = 0xba;

const list = (bytes: readonly number[]): number[] => [...encodeLeb128(bytes.length), ...bytes];
const section = (id: number, bytes: readonly number[]): number[] => [id, ...list(bytes)];
const text = (name: string): number[] => list([...new TextEncoder().encode(name)]);

/** Unsigned LEB128. */
function encodeLeb128(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...encodeLeb128(value >>> 7)];
}

/** Signed LEB128 of a non-negative number: the sign bit of the last byte stays clear. */
function encodeSigned(value: number): number[] {
  return value < 64 ? [value] : [(value & 127) | 128, ...encodeSigned(value >>> 7)];
}
