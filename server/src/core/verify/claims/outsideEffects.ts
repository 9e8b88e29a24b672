// Decides whether new test cases, and the code that they reach, may have effects outside of the program. This matters
// because the author of a test chooses what it calls, and an applied test runs outside of the sandbox.

import { isBuiltin } from 'node:module';
import { isTestLibrary } from '../../paths/runnerImports.ts';
import { replaceCommentsAndStrings } from '../../../util/sourceTokens.ts';

interface Source {
  readonly path: string;
  readonly text: string;
}

/** Maximum number of examined files. A list of this length may be truncated, so it is refused. */
export const MAX_EXAMINED = 400;
/** Matches the specifier of an import or a require, in one of three kinds of quotes. */
const SPECIFIER_PATTERN = /(?:\bfrom\s*|\bimport\s*|\brequire\s*\(\s*)(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`)/g;
/** Matches imports of types, which do not exist at run time. */
const TYPE_IMPORTS = /\b(?:import|export)\s+type\b[^;'"]*\bfrom\s*(?:'[^'\n]*'|"[^"\n]*")/g;
/** Matches Go files. They are not examined, because all names below are names in scripts. */
const GO_PATTERN = /\.go$/;
/** Matches modules of Node that only process their arguments. */
const HARMLESS_PATTERN =
  /^(?:node:)?(?:path(?:\/\w+)?|url|util(?:\/types)?|buffer|events|querystring|string_decoder|punycode)$/;
/** Match names and calls that act outside of the program. */
const ACTING_PATTERNS: readonly RegExp[] = [
  /\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|importScripts|SharedWorker|Worker|Bun|Deno|WebAssembly)\b/,
  // Properties that describe the platform are harmless.
  /\bnavigator\b(?=\s*(?:\?\.|[.[]))(?!\s*\??\.\s*(?:platform|userAgent|languages?)\b)/,
  /(?<!\btypeof )\bnavigator\b(?!\s*\??\.)/,
  /\b(?:eval|Function|globalThis|createRequire|getBuiltinModule|_load|dlopen)\b/,
  /\bprocess\b(?!\s*\.\s*(?:env|platform|version|versions)\b)/,
  /\bimport\s*\(|\bimport\s*\.\s*meta\s*\.\s*(?:glob|hot)/,
  /\brequire\b(?!\s*\(\s*(?:'[^'\n]*'|"[^"\n]*")\s*\))/,
];
/** Matches places where `Function` only names a type or is compared with, so that it creates no code. */
const FUNCTION_AS_TYPE =
  /\b\w+ extends Function\s*(?=[>,?])|\(\s*\w+\??: Function\s*(?=[,)])|\b(?:as|instanceof) Function(?=[ \t]*(?:[;)},]|&&|\|\|))/g;
/** Match access to a member with a computed name, which could spell any name above. */
const COMPUTED_NAMES: readonly RegExp[] = [
  /[\w$)\]?.]\s*\[(?!\s*(?:\d+|-?\d+n|'[\w .-]*'|"[\w .-]*")?\s*\])/,
  /\]\s*:(?!:)/,
  /\b(?:Reflect|getPrototypeOf|getOwnProperty\w*|module|exports)\b/,
];
const COMMENT_PATTERN = /\/\*|(?<![:'"`\\])\/\/[^\n]*/g;

/**
 * The first thing in the sources that may act outside of the program, as the end of a sentence "It uses …"; null if
 * there is none. A source without a text or in Go counts as acting outside, and so do too many sources. Packages count
 * as well, unless `packagesMayStay` is true; modules of Node always count.
 */
export function findOutsideEffect(
  sources: readonly { readonly path: string; readonly text: string | null }[],
  packagesMayStay = false,
): string | null {
  if (sources.length >= MAX_EXAMINED) return `${MAX_EXAMINED} files or more`;
  for (const source of sources) {
    if (source.text === null || GO_PATTERN.test(source.path)) return `${source.path}, which was not examined`;
    const text = removeComments(source.text);
    const [foreign] = collectSpecifiers(text).filter(
      (name) => !isRelativeOrRunner(name) && !HARMLESS_PATTERN.test(name) && !(packagesMayStay && isPackage(name)),
    );
    if (foreign !== undefined) return `\`${foreign}\`, in ${source.path}`;
    const acting = ACTING_PATTERNS.map((pattern) => pattern.exec(text)?.[0]).find((use) => use !== undefined);
    if (acting !== undefined) return `\`${acting.trim()}\`, in ${source.path}`;
  }
  return null;
}

/**
 * Like `findOutsideEffect`, for lines that are added to a test. These lines must not compute the names of members
 * either.
 */
export function findOutsideEffectOfTest(added: Source): string | null {
  return (
    findOutsideEffect([added]) ??
    (COMPUTED_NAMES.some((pattern) => pattern.test(removeComments(added.text))) ? 'names made at run time' : null)
  );
}

/** True for a relative specifier and for a test runner. */
function isRelativeOrRunner(specifier: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(specifier) || isTestLibrary(specifier);
}

/** True for the name of an installed package or of a file in it. */
function isPackage(specifier: string): boolean {
  return /^(?:@[\w.-]+\/)?\w[\w./-]*$/.test(specifier) && !isBuiltin(specifier);
}

function collectSpecifiers(text: string): readonly string[] {
  return [...text.replace(TYPE_IMPORTS, '').matchAll(SPECIFIER_PATTERN)].map(
    ([, first, second, third]) => first ?? second ?? third ?? '',
  );
}

function removeComments(text: string): string {
  return replaceCommentsAndStrings(text, COMMENT_PATTERN, () => ' ').replace(FUNCTION_AS_TYPE, ' ');
}
