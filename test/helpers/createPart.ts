// Objects that hold only the part of a type that a test needs.

/**
 * Returns the object as one of the type, though properties may be missing and their values may be parts, too. The
 * compiler refuses properties that the type does not have, as `as unknown as T` would not after a rename.
 */
export function createPart<T>(part: { readonly [K in keyof T]?: unknown }): T {
  return part as T;
}
