// Names of the standard library, which mean the same everywhere.

/** Objects whose own properties count as standard. */
const STANDARD_OWNERS: readonly object[] = [
  Array,
  Array.prototype,
  String,
  String.prototype,
  Number,
  Number.prototype,
  BigInt,
  Boolean.prototype,
  Object,
  Object.prototype,
  Function.prototype,
  Map.prototype,
  Set.prototype,
  WeakMap.prototype,
  WeakSet.prototype,
  Promise,
  Promise.prototype,
  RegExp.prototype,
  Date,
  Date.prototype,
  Symbol,
  Error.prototype,
  Math,
  JSON,
  Reflect,
  Uint8Array,
  Uint8Array.prototype,
  ArrayBuffer.prototype,
];

const properties: ReadonlySet<string> = new Set(STANDARD_OWNERS.flatMap((owner) => Object.getOwnPropertyNames(owner)));
const globals: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(globalThis));

/** True for a property or method that one of `STANDARD_OWNERS` has, such as `indexOf`. */
export function isStandardProperty(name: string): boolean {
  return properties.has(name);
}

/** True for a global of the engine that runs this code, such as `parseInt`. */
export function isStandardGlobal(name: string): boolean {
  return globals.has(name);
}
