// The codes by which the compiler reports unused declarations.

/** Codes of TypeScript's messages about a declaration, or all parts of one, that nothing reads. */
export const UNUSED_CODES: ReadonlySet<number> = new Set([6133, 6192, 6196, 6198, 6199]);
