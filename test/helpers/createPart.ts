// Creates objects that have only the properties of a type that a test needs.

/**
 * Returns the object as a `T`, although properties may be missing and their values may be incomplete, too. Unlike
 * `as unknown as T`, the compiler still refuses properties that `T` does not have, for example after a rename.
 */
export function createPart<T>(part: { readonly [K in keyof T]?: unknown }): T {
  return part as T;
}
