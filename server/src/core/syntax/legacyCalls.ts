// Recognises calls of functions that Node or JavaScript have replaced, and names the replacement of each.

import { ts } from 'ts-morph';

/** Functions of `util`, with the call that replaces each. Node 23 removed `isBuffer`, and kept `isArray`. */
const UTIL_REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ['isArray', 'Array.isArray'],
  ['isBuffer', 'Buffer.isBuffer'],
]);
/** Functions of `util` that Node 23 removed, with the result of `typeof` for which each is true. */
const UTIL_TYPEOF: ReadonlyMap<string, string> = new Map([
  ['isBoolean', 'boolean'],
  ['isFunction', 'function'],
  ['isNumber', 'number'],
  ['isString', 'string'],
  ['isSymbol', 'symbol'],
]);
/** Other functions of `util` that Node 23 removed. */
const REMOVED_UTIL_FUNCTIONS = new Set([
  'isDate',
  'isError',
  'isNull',
  'isNullOrUndefined',
  'isObject',
  'isPrimitive',
  'isRegExp',
  'isUndefined',
]);
/** Other deprecated functions, with a description of the replacement, which does not do exactly the same. */
const REPLACEMENT_BY_CALL: ReadonlyMap<string, string> = new Map([
  ['url parse', '`new URL(…)`, which follows the standard of browsers and refuses what is not a URL'],
  ['url resolve', '`new URL(path, base).href`'],
  ['fs exists', '`fs.access` or `fs.stat`'],
  ['crypto createCipher', '`crypto.createCipheriv`'],
  ['crypto createDecipher', '`crypto.createDecipheriv`'],
  ['crypto pseudoRandomBytes', '`crypto.randomBytes`'],
  ['util log', '`console.log`'],
]);
/** The functions of `REPLACEMENT_BY_CALL` that Node 22 or 23 removed. */
const OTHER_REMOVED_CALLS: ReadonlySet<string> = new Set(['crypto createCipher', 'crypto createDecipher', 'util log']);

/** A call of a function that Node or JavaScript has replaced. */
export interface LegacyCall {
  /** The name as people write it: `util.isArray`. */
  readonly name: string;
  /** A description of the replacement. */
  readonly replacement: string;
  /** True if current versions of Node no longer have it. */
  readonly isRemoved: boolean;
  /** True if a program can write the new call, possibly only with types. */
  readonly isReplaceable: boolean;
}

/**
 * The legacy call of a node; null for any other call. `importedName`: the module and the name that the callee is
 * imported from; null if it is not imported.
 */
export function parseLegacyCall(
  node: ts.CallExpression | ts.NewExpression,
  importedName: { readonly module: string; readonly name: string } | null,
): LegacyCall | null {
  const argumentCount = node.arguments?.length ?? 0;
  if (ts.isIdentifier(node.expression) && node.expression.text === 'Buffer' && argumentCount > 0)
    return {
      name: ts.isNewExpression(node) ? 'new Buffer' : 'Buffer()',
      replacement: '`Buffer.from` or `Buffer.alloc`: with a number from outside it may expose memory',
      isRemoved: false,
      isReplaceable: true,
    };
  if (ts.isNewExpression(node)) return null;
  if (importedName) return findLegacyCallOfModule(importedName, argumentCount);
  return isSubstr(node) ? { name: 'substr', replacement: '`slice`', isRemoved: false, isReplaceable: true } : null;
}

/** The legacy call of a function of a module with `argumentCount` arguments; null for any other function. */
function findLegacyCallOfModule(
  { module, name }: { readonly module: string; readonly name: string },
  argumentCount: number,
): LegacyCall | null {
  const qualifiedName = `${module}.${name}`;
  if (module === 'util' && argumentCount === 1) {
    const replacementCode =
      UTIL_REPLACEMENTS.get(name) ?? (UTIL_TYPEOF.has(name) ? `typeof … === '${UTIL_TYPEOF.get(name)}'` : null);
    if (replacementCode !== null)
      return {
        name: qualifiedName,
        replacement: `\`${replacementCode}\``,
        isRemoved: name !== 'isArray',
        isReplaceable: true,
      };
    if (REMOVED_UTIL_FUNCTIONS.has(name))
      return { name: qualifiedName, replacement: 'a comparison', isRemoved: true, isReplaceable: false };
  }
  const key = `${module} ${name}`;
  const replacementText = REPLACEMENT_BY_CALL.get(key);
  return replacementText === undefined
    ? null
    : {
        name: qualifiedName,
        replacement: replacementText,
        isRemoved: OTHER_REMOVED_CALLS.has(key),
        isReplaceable: false,
      };
}

/** True for a call of a method `substr` with one or two arguments. */
export function isSubstr(node: ts.CallExpression): boolean {
  const { expression, arguments: values } = node;
  return (
    ts.isPropertyAccessExpression(expression) &&
    expression.name.text === 'substr' &&
    values.length > 0 &&
    values.length < 3 &&
    !values.some(ts.isSpreadElement)
  );
}

/**
 * The result of `typeof` for which this function of `util` is true: `string` for `isString`; null for other functions.
 */
export function findTypeofResult(name: string): string | null {
  return UTIL_TYPEOF.get(name) ?? null;
}

/** The function that replaces a function of `util`: `Array.isArray` for `isArray`; null for other functions. */
export function findUtilReplacement(name: string): string | null {
  return UTIL_REPLACEMENTS.get(name) ?? null;
}
