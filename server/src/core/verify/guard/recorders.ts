// Inserts code into functions that records their arguments while the tests run, as examples of what can be passed.

import { ts } from 'ts-morph';
import type { ExampleValue } from '../counterexamples/plan.ts';
import { hasBody } from '../traces/functions.ts';
import { isDirectiveStatement } from '../traces/wrap.ts';
import type { RecordedCalls } from './recordedCalls.ts';

/** A function that can record its arguments. */
type RecordableFunction = (ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction) & {
  readonly body: ts.ConciseBody;
};

/** Maximum number of recorded calls of one function. */
const MAX_WRITTEN = 400;
/** Maximum number of characters of the arguments of a call as JSON. Longer ones are hard to read in a test. */
const MAX_CHARACTERS = 300;
/** Maximum depth of a value. */
const MAX_DEPTH = 5;

/**
 * The text of a script in which each top-level function records its arguments. `file`: absolute path of the file to
 * which they are appended. Line numbers stay the same. Null if there is no such function.
 */
export function insertRecorders(path: string, text: string, file: string): string | null {
  const sourceFile = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const insertions = collectRecordedFunctions(sourceFile).flatMap((node) => {
    const recordedArguments = ts.isArrowFunction(node) ? `[${listParameterNames(node).join(', ')}]` : 'arguments';
    const call = `__selfwareCall(${JSON.stringify(path)}, ${node.getStart(sourceFile)}, ${recordedArguments})`;
    const { body } = node;
    if (ts.isBlock(body)) {
      const directive = body.statements.findLast((statement, index) => index < 3 && isDirectiveStatement(statement));
      return [{ at: directive?.end ?? body.getStart(sourceFile) + 1, text: `;${call}; ` }];
    }
    return [
      { at: body.getStart(sourceFile), text: `(${call}, ` },
      { at: body.end, text: ')' },
    ];
  });
  if (insertions.length === 0) return null;
  const textWithCalls = insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((result, inserted) => `${result.slice(0, inserted.at)}${inserted.text}${result.slice(inserted.at)}`, text);
  return `${textWithCalls}\n${createRecorderCode(file)}\n`;
}

/** Functions outside of other functions and classes whose arguments are available at their beginning. */
function collectRecordedFunctions(file: ts.SourceFile): readonly RecordableFunction[] {
  const recordedFunctions: RecordableFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) return;
    if (isRecorded(node)) recordedFunctions.push(node);
    else if (!hasBody(node)) ts.forEachChild(node, visit);
  };
  visit(file);
  return recordedFunctions;
}

/**
 * True for a function that can be recorded. An arrow function has no `arguments`, so all of its parameters must have
 * names.
 */
function isRecorded(node: ts.Node): node is RecordableFunction {
  if (!hasBody(node)) return false;
  if (ts.isArrowFunction(node)) return node.parameters.every(({ name }) => ts.isIdentifier(name));
  return ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node);
}

function listParameterNames({ parameters }: ts.ArrowFunction): readonly string[] {
  return parameters.map(
    ({ name, dotDotDotToken }) => `${dotDotDotToken ? '...' : ''}${ts.isIdentifier(name) ? name.text : ''}`,
  );
}

/**
 * The code of the function that records a call, once for the same arguments. The function is hoisted, so that it can be
 * at the end of the file. Its syntax is ECMAScript 5, for old tools that transform code for tests. It runs no code of
 * the values: it skips getters, proxies and classes. It skips strings that name a folder of the sandbox, because that
 * folder does not exist when others run the new test. It stops early at large values, because the function may be
 * called often with them.
 */
function createRecorderCode(file: string): string {
  const folder = file.slice(0, Math.max(0, file.indexOf('/node_modules/')));
  return `function __selfwareCall(path, at, given) {
  try {
    var all = globalThis.__selfwareCalls;
    if (!all) Object.defineProperty(globalThis, '__selfwareCalls', { value: (all = { seen: {}, counts: {} }) });
    var key = path + ':' + at;
    var count = all.counts[key] || 0;
    if (count >= ${MAX_WRITTEN}) return;
    var node = globalThis['process'];
    var isProxy = node.getBuiltinModule('node:util').types.isProxy;
    var folders = [${JSON.stringify(folder)}, node.env.HOME, node.env.TMPDIR];
    var left = ${MAX_CHARACTERS};
    var spend = function (characters) {
      left -= characters;
      if (left < 0) throw 0;
    };
    var write = function (value, depth) {
      spend(typeof value === 'string' || Array.isArray(value) ? value.length : 1);
      if (typeof value === 'string') {
        for (var i = 0; i < folders.length; i += 1)
          if (folders[i] && folders[i].length > 1 && value.indexOf(folders[i]) >= 0) throw 0;
        return value;
      }
      if (value === null || typeof value === 'boolean') return value;
      if (typeof value === 'number' && isFinite(value)) return value;
      if (typeof value !== 'object' || depth > ${MAX_DEPTH} || isProxy(value)) throw 0;
      var isList = Array.isArray(value);
      var parent = Object.getPrototypeOf(value);
      if (isList) parent = Object.getPrototypeOf(parent);
      if (parent !== null && Object.getPrototypeOf(parent) !== null) throw 0;
      var names = Object.getOwnPropertyNames(value);
      if (isList && (names.length !== value.length + 1 || names.pop() !== 'length')) throw 0;
      var fields = names.map(function (name) {
        var own = Object.getOwnPropertyDescriptor(value, name);
        if (!('value' in own) || !own.enumerable || name === '__proto__') throw 0;
        return isList ? write(own.value, depth + 1) : [name, write(own.value, depth + 1)];
      });
      if (Object.getOwnPropertySymbols(value).length > 0) throw 0;
      return isList ? { $: 'array', of: fields } : { $: 'record', fields: fields };
    };
    var list = Array.prototype.slice.call(given);
    while (list.length > 0 && list[list.length - 1] === undefined) list.pop();
    if (list.length === 0) return;
    var text = JSON.stringify([path, at, list.map(function (one) { return write(one, 0); })]);
    if (text.length > ${MAX_CHARACTERS} + key.length || all.seen[text]) return;
    all.seen[text] = true;
    all.counts[key] = count + 1;
    node.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(file)}, text + '\\n');
  } catch (error) {}
}`;
}

/**
 * The recorded calls of the function that this node declares or contains first; empty if there are none. `file`: the
 * file of the node.
 */
export function findRecordedCalls(
  callsOfFile: RecordedCalls[string] | undefined,
  node: ts.Node,
  file: ts.SourceFile,
): readonly (readonly ExampleValue[])[] {
  if (!callsOfFile || node.getSourceFile() !== file) return [];
  const [from, to] = [node.getStart(file), node.end];
  const offsets = Object.keys(callsOfFile).map(Number);
  const firstOffset = offsets.filter((offset) => from <= offset && offset < to).toSorted((a, b) => a - b)[0];
  return firstOffset === undefined ? [] : callsOfFile[firstOffset]!;
}
