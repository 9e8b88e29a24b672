// Lists the names of built-in functions without side effects. They may throw for a wrong argument, and have no other
// effect, so a call inside `try` is kept. Functions are not listed if they are called because they may throw
// (`JSON.parse`), if they call back (`map`), or if they read the disk in a way that can fail (`statSync`).

import { createWordSet } from '../../util/wordSet.ts';

/** By global object: its methods without side effects. */
export const PURE_STATIC_METHODS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['JSON', createWordSet('stringify')],
  ['Object', createWordSet('keys values entries getOwnPropertyNames getPrototypeOf is hasOwn isFrozen isSealed')],
  ['Array', createWordSet('isArray of')],
  ['Number', createWordSet('isFinite isInteger isNaN isSafeInteger parseFloat parseInt')],
  [
    'Math',
    createWordSet(`
      abs acos asin atan atan2 cbrt ceil cos exp floor hypot log log10 log2 max min pow random round
      sign sin sqrt tan trunc
    `),
  ],
  ['Date', createWordSet('now UTC')],
  ['performance', createWordSet('now')],
  ['process', createWordSet('cwd hrtime uptime memoryUsage')],
]);

/** Names of global functions without side effects. */
export const PURE_GLOBALS = createWordSet('parseInt parseFloat isNaN isFinite');

/** Names of global classes whose construction has no side effects. */
export const PURE_CONSTRUCTORS = createWordSet('Date');

/** By module of Node: its functions without side effects. */
export const PURE_MODULE_FUNCTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['fs', createWordSet('existsSync')],
  ['path', createWordSet('basename dirname extname format isAbsolute join normalize parse relative resolve')],
  ['os', createWordSet('arch cpus homedir platform tmpdir type')],
]);

/** Methods without side effects of a literal text or list, or of the result of a call without side effects. */
export const PURE_METHODS: ReadonlySet<string> = createWordSet(`
at charAt charCodeAt codePointAt concat endsWith includes indexOf join lastIndexOf padEnd padStart repeat slice
startsWith substring toLowerCase toString toUpperCase trim trimEnd trimStart
`);

/**
 * Functions that accept any argument. The others throw for arguments of a wrong type, which only TypeScript rules out.
 */
export const NEVER_THROW: ReadonlySet<string> = createWordSet(`
existsSync now is isArray isInteger isSafeInteger random cwd hrtime uptime memoryUsage arch cpus homedir
platform tmpdir type
`);
