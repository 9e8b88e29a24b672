// Shared helpers of the search for calls: the values that parameters take, names that reach outside, positions, names
// of default exports.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { wordsOf } from '../../../util/wordsOf.ts';
import type { Range } from '../../model.ts';
import { namesIn, type ModuleOutline } from '../differential/declarations.ts';
import { isUnresolved, Unsupported, type ShapeReader } from '../differential/shapes.ts';
import { requiredFrom } from './imports.ts';
import type { RecordedCalls } from '../guard/recordedCalls.ts';
import type { Example, Subject } from './plan.ts';
import { needsStandIn } from './standIns.ts';

/** Modules of Node that reach outside the process, or that wait. */
const OUTSIDE =
  /^(?:node:)?(?:fs(?:\/promises)?|child_process|cluster|dgram|dns|http|https|http2|net|tls|worker_threads|readline|repl|inspector|timers(?:\/promises)?)$/;
/** Globals that reach outside the process, that wait, or whose state all code shares. */
const GLOBALS = wordsOf(`
fetch XMLHttpRequest WebSocket EventSource localStorage sessionStorage indexedDB document window navigator history
setTimeout setInterval setImmediate requestAnimationFrame globalThis Deno Bun alert caches
`);
/** Matches code that distinguishes negative numbers: a comparison with 0, a negative literal, or the like. */
export const SIGNED = /[<>]=?\s*0\b|[=(,:?&|[]\s*-\s*[\d.]|Math\.(?:abs|sign|min|max)\b/;

/** The file whose functions are examined, with everything that is known of it. */
export interface Surroundings {
  readonly path: string;
  readonly outline: ModuleOutline;
  readonly reader: ShapeReader;
  readonly checker: ts.TypeChecker;
  readonly code: ts.SourceFile;
  /** False if the repository does not check for null, so that any value may be null or undefined. */
  readonly strict: boolean;
  /** Lists of arguments in tests, by the name of the called function (see `examplesIn`). */
  readonly examples: ReadonlyMap<string, readonly (readonly Example[])[]>;
  /** Arguments that functions of the file get while the tests run; absent if these were not recorded. */
  readonly recorded?: RecordedCalls[string];
}

/** The parameters as the types declare them; a sentence with the reason if no values for them can be generated. */
export function typedParameters(
  { signature, declaration }: { readonly signature: ts.Signature; readonly declaration: ts.Declaration },
  { reader, checker }: Surroundings,
): Subject['parameters'] | string {
  for (const symbol of signature.getParameters()) {
    const parameter = symbol.valueDeclaration;
    if (!parameter || !ts.isParameter(parameter)) return 'Its parameters are not declared one by one.';
    if (ts.isIdentifier(parameter.name) && parameter.name.text === 'this') return 'It needs a `this`.';
    const type = checker.getTypeOfSymbolAtLocation(symbol, parameter);
    if (type.flags & ts.TypeFlags.Any && !isUnresolved(type))
      return hasType(parameter) ? 'It takes `any`, which allows everything.' : 'Its parameters have no declared types.';
  }
  try {
    const parameters = reader.parametersOf(signature, declaration);
    return parameters.some(({ shape }) => needsStandIn(shape, reader.shapes))
      ? 'It takes an object with several methods, for which a stand-in says little.'
      : parameters;
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return `It takes ${error.message}, for which no values can be generated.`;
  }
}

/** The parameters with the type `any`, for functions whose types say too little. */
export function anyParameters(signature: ts.Signature): Subject['parameters'] {
  return signature.getParameters().map(({ name, valueDeclaration: parameter }) => {
    const isParameter = parameter !== undefined && ts.isParameter(parameter);
    return {
      name,
      shape: { kind: 'any' },
      optional: isParameter && (parameter.questionToken ?? parameter.initializer) !== undefined,
      rest: isParameter && parameter.dotDotDotToken !== undefined,
    };
  });
}

/** The range of a node (1-based, the end column is exclusive); for a whole file, the range of its first character. */
export function rangeOf(node: ts.Node, file: ts.SourceFile): Range {
  const at = (position: number) => file.getLineAndCharacterOfPosition(position);
  const start = at(node.getStart(file));
  const end = ts.isSourceFile(node) ? { line: start.line, character: start.character + 1 } : at(node.end);
  return {
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  };
}

function hasType(parameter: ts.ParameterDeclaration): boolean {
  return parameter.type !== undefined || ts.getJSDocType(parameter) !== undefined;
}

/**
 * All names that the declaration `from` mentions, directly or through other declarations of its file. Adds to `names`.
 */
export function namesReachedFrom(
  { declarations }: ModuleOutline,
  from: string,
  names = new Set<string>(),
): ReadonlySet<string> {
  for (const name of declarations.get(from)?.mentions ?? []) {
    if (names.has(name)) continue;
    names.add(name);
    namesReachedFrom({ declarations, loose: [] }, name, names);
  }
  return names;
}

/**
 * One of these names that stands for something outside of the call, such as a module for files; null if none does.
 * `file`: the file whose code mentions the names.
 */
export function outsideName(mentioned: ReadonlySet<string>, file: ts.SourceFile): string | null {
  const names = [...file.statements.flatMap(importedOutside), ...requiredOutside(file), ...GLOBALS];
  return names.find((name) => mentioned.has(name)) ?? null;
}

/** The names that a statement imports from modules that reach outside. */
function importedOutside(statement: ts.Statement): readonly string[] {
  if (ts.isImportEqualsDeclaration(statement)) {
    const { moduleReference: reference } = statement;
    const isModule = ts.isExternalModuleReference(reference) && ts.isStringLiteral(reference.expression);
    return isModule && OUTSIDE.test((reference.expression as ts.StringLiteral).text) ? [statement.name.text] : [];
  }
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
  if (!OUTSIDE.test(statement.moduleSpecifier.text)) return [];
  const { importClause: clause } = statement;
  const bound = clause?.namedBindings;
  return [
    ...(clause?.name ? [clause.name.text] : []),
    ...(bound && ts.isNamespaceImport(bound) ? [bound.name.text] : []),
    ...(bound && ts.isNamedImports(bound) ? bound.elements.map(({ name }) => name.text) : []),
  ];
}

/**
 * The names of variables that are set to `require(…)` of a module that reaches outside, at the top level or in a
 * function. If such a module is used without a variable, the name is `require`.
 */
function requiredOutside(file: ts.SourceFile): readonly string[] {
  if (!file.text.includes('require')) return [];
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !OUTSIDE.test(requiredFrom(node) ?? '')) return;
    // `const { readFile } = require('fs').promises` takes a part of the module.
    let value: ts.Node = node;
    while (ts.isPropertyAccessExpression(value.parent) && value.parent.expression === value) value = value.parent;
    const { parent } = value;
    if (ts.isVariableDeclaration(parent) && parent.initializer === value) names.push(...namesIn(parent.name));
    else if (ts.isBinaryExpression(parent) && ts.isIdentifier(parent.left)) names.push(parent.left.text);
    else names.push('require');
  };
  visit(file);
  return names;
}

/** A name for a default export without a name, made of the name of its file: `src/to-words.ts` → `toWords`. */
export function nameFromFile(fileName: string): string {
  const file = posix.basename(fileName).replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
  const stem = file === 'index' ? posix.basename(posix.dirname(fileName)) : file;
  const words = stem.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word, at) => (at === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('');
  return /^[A-Za-z]/.test(name) && name !== 'default' ? name : 'subject';
}
