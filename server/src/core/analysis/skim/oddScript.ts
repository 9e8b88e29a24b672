// Why a script is left to the compiler.

/** A tree that the visitor does not show in full, or that means something else to the compiler. */
export class OddScript extends Error {}
