// The languages and the names of files with TypeScript or JavaScript.

/** Matches the extension of a TypeScript or JavaScript file at the end of a path. */
export const SCRIPT_PATTERN = /\.[cm]?[jt]sx?$/;

/** Matches the extension of a TypeScript or JavaScript file, but not of type declarations (`.d.ts`). */
export const SCRIPT_WITH_CODE_PATTERN = /(?<!\.d)\.[cm]?[jt]sx?$/;

/** Matches the extension of a TypeScript file at the end of a path, type declarations included. */
export const TYPESCRIPT_PATTERN = /\.[cm]?tsx?$/;

/** Matches the extension of a JavaScript file at the end of a path. */
export const JAVASCRIPT_PATTERN = /\.[cm]?jsx?$/;

/** Matches the extension of type declarations at the end of a path. */
export const DECLARATION_PATTERN = /\.d\.[cm]?ts$/;

/** The languages that TypeScript's parser reads. */
export const SCRIPT_LANGUAGES: ReadonlySet<string | null> = new Set(['typescript', 'tsx', 'javascript']);
