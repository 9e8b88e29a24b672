// Patterns for the names of files with TypeScript or JavaScript.

/** Matches the extension of a TypeScript or JavaScript file at the end of a path. */
export const SCRIPT_PATTERN = /\.[cm]?[jt]sx?$/;

/** Matches the extension of a TypeScript or JavaScript file, but not of type declarations (`.d.ts`). */
export const SCRIPT_WITH_CODE_PATTERN = /(?<!\.d)\.[cm]?[jt]sx?$/;
