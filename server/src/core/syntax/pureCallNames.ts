// Names of built-in functions without side effects. Plain data.
//
// They may throw for a wrong argument, and nothing else can be seen of them, so a call inside of `try` is kept. Left
// out is whatever is called because it may throw (`JSON.parse`), calls back (`map`), or looks at the disk in a way that
// can fail (`statSync`).

import { wordsOf } from '../../util/wordsOf.ts';

/** Methods of global objects. */
export const OF_GLOBALS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['JSON', wordsOf('stringify')],
  ['Object', wordsOf('keys values entries getOwnPropertyNames getPrototypeOf is hasOwn isFrozen isSealed')],
  ['Array', wordsOf('isArray of')],
  ['Number', wordsOf('isFinite isInteger isNaN isSafeInteger parseFloat parseInt')],
  [
    'Math',
    wordsOf(`
      abs acos asin atan atan2 cbrt ceil cos exp floor hypot log log10 log2 max min pow random round
      sign sin sqrt tan trunc
    `),
  ],
  ['Date', wordsOf('now UTC')],
  ['performance', wordsOf('now')],
  ['process', wordsOf('cwd hrtime uptime memoryUsage')],
]);

/** Global functions. */
export const GLOBALS = wordsOf('parseInt parseFloat isNaN isFinite');

/** Classes that can be constructed. */
export const CONSTRUCTORS = wordsOf('Date');

/** Functions of Node's modules. */
export const OF_MODULES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['fs', wordsOf('existsSync')],
  ['path', wordsOf('basename dirname extname format isAbsolute join normalize parse relative resolve')],
  ['os', wordsOf('arch cpus homedir platform tmpdir type')],
]);

/** Methods of a text or a list that stands right there, or that one of these calls gives. */
export const OF_VALUES: ReadonlySet<string> = wordsOf(`
at charAt charCodeAt codePointAt concat endsWith includes indexOf join lastIndexOf padEnd padStart repeat slice
startsWith substring toLowerCase toString toUpperCase trim trimEnd trimStart
`);

/**
 * They accept any argument. The others throw for arguments that types rule out, and in JavaScript nothing does that.
 */
export const NEVER_THROW: ReadonlySet<string> = wordsOf(`
existsSync now is isArray isInteger isSafeInteger random cwd hrtime uptime memoryUsage arch cpus homedir
platform tmpdir type
`);
