// Finds what an edit newly uses or hides that could detect that it is being tested, disturb the test, or make code look
// different from how it runs.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { replaceCommentsAndStrings } from '../../../util/sourceTokens.ts';
import type { FileEdit } from '../../model.ts';
import { isRootTest, isTestFile } from '../../paths/tests.ts';

/** Matches the modules that a test must import. */
const TEST_MODULES = /(['"])(?:node:test|(?:node:)?assert(?:\/strict)?)\1/g;
/** Names that give access to the process, to the script's own text, to other code, or to shared objects. */
const SUSPICIOUS_NAMES = [
  ...[
    'process',
    'globalThis',
    'global',
    'eval',
    'Function',
    'constructor',
    'prototype',
    '__proto__',
    'setPrototypeOf',
    'captureStackTrace',
    'prepareStackTrace',
    'dlopen',
    'getBuiltinModule',
  ],
  ...['Date', 'performance', 'NODE_ENV', 'VITEST', 'JEST_WORKER_ID', 'NODE_TEST_CONTEXT', 'MOCHA_COLORS'],
];
/** Matches the name of a Node module that acts on the outside world or on other code. */
const MODULE_PATTERN =
  /['"`](?:node:)?(?:assert|async_hooks|child_process|cluster|dgram|dns|fs|http|http2|https|inspector|module|net|os|perf_hooks|process|repl|test|timers|tls|v8|vm|wasi|worker_threads)(?:\/[\w/]+)?['"`]/g;
/**
 * Matches names of Node modules that are common words. Without the prefix `node:`, such a string is data unless code
 * loads it.
 */
const COMMON_MODULE_SOURCE = '[\'"`](?:assert|dns|http|https|net|test|timers)[\'"`]';
/** Matches a string that is only such a common word. */
const COMMON_MODULE_PATTERN = new RegExp(`^${COMMON_MODULE_SOURCE}$`);
/**
 * Matches the beginning of a call that loads or replaces a module, such as `require(`, `vi.mock(` and `loadModule(`.
 */
const LOADING_CALL_SOURCE = String.raw`(?<![\w$])(?:load|[\w$]{0,40}(?:[rR]equire|[iI]mport|[mM]ock|Load|_load)|getBuiltinModule|proxyquire|binding|module|(?:require|import)\s*\.\s*resolve)[\w$]{0,40}\s*(?:\?\.\s*)?\(\s*`;
/** Matches a common word where code loads the module of this name. */
const LOADED_COMMON_MODULE_PATTERN = new RegExp(
  `(?:${LOADING_CALL_SOURCE}|\\b(?:from|import)\\s*)${COMMON_MODULE_SOURCE}`,
  'g',
);
/**
 * Matches where code can load a module whose name is not a literal: `require(name)`, `const load = require`,
 * `module['req' + 'uire']`, `arguments[1]`.
 */
const COMPUTED_LOADING_PATTERN =
  /\bcreateRequire\b|\b(?:require|getBuiltinModule)\b(?!\s*(?:\.\s*resolve\s*)?\(\s*(?:'[^'\n]*'|"[^"\n]*")\s*[,)])|\bimport\s*\((?!\s*(?:'[^'\n]*'|"[^"\n]*")\s*[,)])|\bmodule\s*(?:\?\.\s*)?\[|[(,=]\s*module\s*[),;\n]|\barguments\b/;
/** Patterns of code that loads other code or gives access to the module itself, with their names for a person. */
const SUSPICIOUS_PATTERNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['import.meta', /\bimport\s*\.\s*meta\b/g],
  ['import()', /\bimport\s*\(/g],
  ['a data: address', /['"`]data:[\w+/.-]*(?:javascript|wasm)/gi],
];
/** Matches harmless calls of the methods of `Object.prototype` on any value, as careful code writes them. */
const OBJECT_CALL_PATTERN =
  /\bObject\s*\.\s*prototype\s*\.\s*(?:hasOwnProperty|propertyIsEnumerable|toString|valueOf)\s*\.\s*call\s*\(/g;
/** Matches where a `stack` is read: by its name, in a string, or by destructuring. */
const STACK_PATTERN = /\.\s*stack\b|['"`]stack['"`]|\bstack\b[^{}]{0,200}\}\s*(?:=(?![=>])|\)\s*(?:=>|\{))/g;
/** Matches text that contains errors. In any other text, a `stack` is data. */
const ERROR_PATTERN = /Error\b|\bcatch\b/;
const COMMENT_PATTERN = /\/\*|(?<![:'"`\\])\/\/[^\n]*/g;

/**
 * Matches characters that make a text look different from how it is parsed: Boucher and Anderson, Trojan Source (2021).
 * U+FEFF at the start is a byte-order mark and does not match.
 */
const INVISIBLE_PATTERN = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069]|(?!^)\uFEFF/g;
const WORD_PATTERN = /[\p{L}\p{N}_$]+/gu;
const LATIN_PATTERN = /\p{Script=Latin}/u;
const LOOKALIKE_PATTERN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}]/u;

/**
 * Sentences for a person; empty if there is nothing to review. Uses that existed before may stay, and may move to
 * another file.
 */
export function findSuspiciousUses(edits: readonly FileEdit[]): string[] {
  const sides = edits.map(({ path, before, after }) => {
    // A test must import its runner.
    const prepareText = (text: string | null) =>
      isTestFile(path) || isRootTest(path) ? removeRunners(text ?? '') : (text ?? '');
    return { path, before: prepareText(before), after: prepareText(after) };
  });
  const findPathWithMore = (count: (text: string) => number, consideredSides = sides): string | null => {
    const increases = consideredSides.map(({ before, after }) => count(after) - count(before));
    return increases.reduce((sum, count) => sum + count, 0) > 0
      ? consideredSides[increases.findIndex((count) => count > 0)]!.path
      : null;
  };
  const scripts = sides
    .filter(({ path }) => SCRIPT_PATTERN.test(path))
    .map(({ path, before, after }) => ({ path, before: removeHarmless(before), after: removeHarmless(after) }));
  const sentences: string[] = [];
  const namesByPath = new Map<string, string[]>();
  const addNameIfMore = (name: string, count: (text: string) => number) => {
    const path = findPathWithMore(count, scripts);
    if (path !== null) namesByPath.set(path, [...(namesByPath.get(path) ?? []), name]);
  };
  for (const name of SUSPICIOUS_NAMES) addNameIfMore(`\`${name}\``, (text) => countWords(text, name));
  for (const [name, pattern] of SUSPICIOUS_PATTERNS) addNameIfMore(name, (text) => countMatches(text, pattern));
  // Counts both sides of all files in the same way, because one file may contain the name of a module that another file
  // loads.
  const loadsComputedModules = scripts.some(({ before, after }) =>
    [before, after].some((text) => COMPUTED_LOADING_PATTERN.test(decodeEscapes(text))),
  );
  addNameIfMore('a module of the platform', (text) => countModules(decodeEscapes(text), loadsComputedModules));
  addNameIfMore("an error's `stack`", countStackReads);
  addNameIfMore(
    'a name in escapes',
    (text) =>
      countWords(decodeEscapes(text), 'process', 'globalThis', 'eval', 'Function', 'constructor') -
      countWords(text, 'process', 'globalThis', 'eval', 'Function', 'constructor'),
  );
  const phrases = [...namesByPath].map(([path, names]) => `${names.join(', ')} in ${path}`);
  if (phrases.length > 0)
    sentences.push(
      `It reaches for ${phrases.join(', for ')}, and did not so often before: by that, code can tell that it is being tested.`,
    );
  const invisiblePath = findPathWithMore((text) => text.match(INVISIBLE_PATTERN)?.length ?? 0);
  if (invisiblePath !== null)
    sentences.push(`${invisiblePath} holds invisible characters, so what it does may differ from what a reader sees.`);
  const mixedPath = findPathWithMore(countMixedWords, scripts);
  if (mixedPath !== null) sentences.push(`${mixedPath} holds words with letters that look like others.`);
  return sentences;
}

/** The text without the modules that every test imports. */
export function removeRunners(text: string): string {
  return text.replace(TEST_MODULES, "'runner'");
}

/** The text without comments and without harmless calls of `Object.prototype`. */
function removeHarmless(text: string): string {
  return replaceCommentsAndStrings(text, COMMENT_PATTERN, () => ' ').replace(OBJECT_CALL_PATTERN, '(');
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Counts where code names modules of Node. Common words count only where they are loaded, or may be. */
function countModules(text: string, isComputed: boolean): number {
  const names = text.match(MODULE_PATTERN) ?? [];
  return isComputed
    ? names.length
    : names.filter((name) => !COMMON_MODULE_PATTERN.test(name)).length +
        countMatches(text, LOADED_COMMON_MODULE_PATTERN);
}

/** Counts where code reads the stack of an error, which names the file that called it. */
function countStackReads(text: string): number {
  return ERROR_PATTERN.test(text) ? (text.match(STACK_PATTERN)?.length ?? 0) : 0;
}

function countWords(text: string, ...names: readonly string[]): number {
  return names.reduce(
    (sum, name) =>
      sum + (text.match(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g'))?.length ?? 0),
    0,
  );
}

/** The text with the escapes in names and strings decoded. */
function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi,
    (match, braced?: string, four?: string, two?: string) => {
      const code = Number.parseInt(braced ?? four ?? two ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : match;
    },
  );
}

function countMixedWords(text: string): number {
  return (text.match(WORD_PATTERN) ?? []).filter((word) => LATIN_PATTERN.test(word) && LOOKALIKE_PATTERN.test(word))
    .length;
}
