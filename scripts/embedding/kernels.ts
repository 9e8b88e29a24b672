// The inner loops of training as WebAssembly with 128-bit lanes: an order of magnitude faster than the same loops in JavaScript.
// Assembled here instruction by instruction (WebAssembly Core Specification 2.0, chapter 5), so that no compiler is needed.

/** Offsets and lengths are in bytes of the shared memory; lengths are multiples of 16. */
export interface Kernels {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** target += factor × source. */
  addScaled(target: number, source: number, length: number, factor: number): void;
  /** out[j] = a · b[j] for `count` rows of b that follow one another. */
  dots(a: number, b: number, length: number, count: number, out: number): void;
  /** A step of Adagrad: squares += slopes², values −= pace × slopes / √squares, slopes = 0. */
  step(values: number, slopes: number, squares: number, length: number, pace: number): void;
}

/** What we use of the runtime; the compiler's library for Node does not describe it. */
interface WebAssemblyApi {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>) => { readonly exports: unknown };
}
const { Memory, Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;

const I32 = 0x7f, F32 = 0x7d, V128 = 0x7b;
const LANES_AND_BYTES = 16;

export function createKernels(bytes: number): Kernels {
  const memory = new Memory({ initial: Math.ceil(bytes / 65_536) + 1 });
  const instance = new Instance(new Module(moduleBytes()), { e: { m: memory } });
  return { memory, ...(instance.exports as Omit<Kernels, 'memory'>) };
}

function moduleBytes(): Uint8Array {
  const functions = [addScaledCode(), dotsCode(), stepCode()];
  const types = [[I32, I32, I32, F32], [I32, I32, I32, I32, I32], [I32, I32, I32, I32, F32]];
  const names = ['addScaled', 'dots', 'step'];
  return Uint8Array.from([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [3, ...types.flatMap((parameters) => [0x60, ...list(parameters), 0])]),
    ...section(2, [1, ...text('e'), ...text('m'), 2, 0, 1]),
    ...section(3, [3, 0, 1, 2]),
    ...section(7, [3, ...names.flatMap((name, index) => [...text(name), 0, index])]),
    ...section(10, [3, ...functions.flatMap((code) => list(code))]),
  ]);
}

/** Parameters: 0 target, 1 source, 2 length → end of target, 3 factor; locals: 4 factor in all lanes. */
function addScaledCode(): number[] {
  return body([[1, V128]], [
    ...get(3), ...simd(0x13), ...set(4),
    ...get(0), ...get(2), 0x6a, ...set(2),
    ...loop([
      ...get(0), ...get(0), ...load(), ...get(1), ...load(), ...get(4), ...simd(0xe6), ...simd(0xe4), ...store(),
      ...advance(0), ...advance(1),
      ...get(0), ...get(2), 0x49, 0x0d, 0,
    ]),
  ]);
}

/** Parameters: 0 a, 1 b, 2 length, 3 count, 4 out; locals: 5 at in a, 6 end of a, 7 and 8 sums. */
function dotsCode(): number[] {
  return body([[2, I32], [2, V128]], [
    ...get(0), ...get(2), 0x6a, ...set(6),
    ...loop([
      ...get(0), ...set(5), ...zero(), ...set(7), ...zero(), ...set(8),
      ...loop([
        ...get(7), ...get(5), ...load(), ...get(1), ...load(), ...simd(0xe6), ...simd(0xe4), ...set(7),
        ...get(8), ...get(5), ...load(16), ...get(1), ...load(16), ...simd(0xe6), ...simd(0xe4), ...set(8),
        ...advance(1, 32), ...advance(5, 32),
        ...get(5), ...get(6), 0x49, 0x0d, 0,
      ]),
      ...get(7), ...get(8), ...simd(0xe4), ...set(7),
      ...get(4),
      ...get(7), ...lane(0), ...get(7), ...lane(1), 0x92, ...get(7), ...lane(2), 0x92, ...get(7), ...lane(3), 0x92,
      0x38, 2, 0,
      ...advance(4, 4),
      ...get(3), ...constant(1), 0x6b, ...tee(3), 0x0d, 0,
    ]),
  ]);
}

/** Parameters: 0 values, 1 slopes, 2 squares, 3 length → end of values, 4 pace; locals: 5 pace, 6 slope, 7 square. */
function stepCode(): number[] {
  return body([[3, V128]], [
    ...get(4), ...simd(0x13), ...set(5),
    ...get(0), ...get(3), 0x6a, ...set(3),
    ...loop([
      ...get(1), ...load(), ...set(6),
      ...get(2), ...load(), ...get(6), ...get(6), ...simd(0xe6), ...simd(0xe4), ...set(7),
      ...get(2), ...get(7), ...store(),
      ...get(0), ...get(0), ...load(), ...get(5), ...get(6), ...simd(0xe6), ...get(7), ...simd(0xe3), ...simd(0xe7), ...simd(0xe5), ...store(),
      ...get(1), ...zero(), ...store(),
      ...advance(0), ...advance(1), ...advance(2),
      ...get(0), ...get(3), 0x49, 0x0d, 0,
    ]),
  ]);
}

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const constant = (value: number): number[] => [0x41, value];
const simd = (operation: number): number[] => [0xfd, ...leb(operation)];
const load = (offset = 0): number[] => [0xfd, 0x00, 4, offset];
const store = (): number[] => [0xfd, 0x0b, 4, 0];
const zero = (): number[] => [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
const lane = (index: number): number[] => [0xfd, 0x1f, index];
const advance = (local: number, by = LANES_AND_BYTES): number[] => [...get(local), ...constant(by), 0x6a, ...set(local)];
const loop = (code: readonly number[]): number[] => [0x03, 0x40, ...code, 0x0b];
const body = (locals: readonly (readonly [count: number, type: number])[], code: readonly number[]): number[] => [locals.length, ...locals.flat(), ...code, 0x0b];
const list = (bytes: readonly number[]): number[] => [...leb(bytes.length), ...bytes];
const section = (id: number, bytes: readonly number[]): number[] => [id, ...list(bytes)];
const text = (name: string): number[] => list([...Buffer.from(name)]);

/** Unsigned LEB128. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}
