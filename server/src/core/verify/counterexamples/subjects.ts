// Finds the exported functions of a file that can be called with values of their declared types, and says why others
// cannot.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { wordsOf } from '../../../util/wordsOf.ts';
import type { Range } from '../../model.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { outlineOf, type ModuleOutline } from '../differential/declarations.ts';
import { emitOptionsOf } from '../differential/emitOptions.ts';
import { literalsOf } from '../differential/literals.ts';
import { needsStandIn } from './standIns.ts';
import type { EmitOptions, Shape } from '../differential/plan.ts';
import { examplesIn } from './examples.ts';
import { testsOf, type OpenFile } from '../differential/planDifferential.ts';
import { createShapeReader, isUnresolved, Unsupported, type ShapeReader } from '../differential/shapes.ts';
import type { Example, LeftOut, Material, Subject } from './plan.ts';

/** A function to call, with the types that decide which laws it has to obey. */
export interface Candidate {
  readonly subject: Subject;
  /** False if the function is documented to throw, or is a type predicate. */
  readonly mayBreak: boolean;
  readonly checker: ts.TypeChecker;
  readonly first: ts.Type | null;
  readonly second: ts.Type | null;
  /** Number of parameters that a call needs. */
  readonly required: number;
  readonly result: ts.Type;
  /** True if the repository checks for null, so that a result is null or undefined only if its type says so. */
  readonly strict: boolean;
  /** The declared result, as a shape and as text; null if its values cannot be described. */
  resultShape(): { readonly shape: Shape; readonly type: string } | null;
}

export interface FileSubjects {
  readonly candidates: readonly Candidate[];
  readonly leftOut: readonly LeftOut[];
  readonly material: Material;
  readonly emit: EmitOptions;
}

/** Modules of Node that reach outside the process. */
const OUTSIDE =
  /^(?:node:)?(?:fs(?:\/promises)?|child_process|cluster|dgram|dns|http|https|http2|net|tls|worker_threads|readline|repl|inspector|timers(?:\/promises)?)$/;
/** Globals that reach outside the process, that wait, or whose state all code shares. */
const GLOBALS = wordsOf(`
fetch XMLHttpRequest WebSocket EventSource localStorage sessionStorage indexedDB document window navigator history
setTimeout setInterval setImmediate requestAnimationFrame globalThis Deno Bun alert caches
`);
const CLOCK = wordsOf('Date performance');
/** What code does that expects negative numbers: a comparison with 0, a negative literal, or the like. */
const SIGNED = /[<>]=?\s*0\b|[=(,:?&|[]\s*-\s*[\d.]|Math\.(?:abs|sign|min|max)\b/;

/** The exported functions of the file, callable or left out; null if the file does not exist. */
export function subjectsOf(
  path: string,
  testFiles: readonly string[] | undefined,
  tree: SourceTree,
  openFile: OpenFile,
): FileSubjects | null {
  const root = tree.rootDir.replaceAll('\\', '/');
  const text = tree.read(`${root}/${path}`);
  if (text === undefined) return null;
  const declared = declarationsBeside(path, root, tree);
  const typed = openFile(tree, `${root}/${declared?.path ?? path}`, declared?.text ?? text);
  const typedFile = typed.sourceFile();
  const checker = typed.checker();
  const code = declared ? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) : typedFile;
  const outline = outlineOf(code);
  const options = typed.service.getProgram()?.getCompilerOptions() ?? {};
  const strict = options.strictNullChecks ?? options.strict ?? false;
  const reader = createShapeReader(checker, new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []), true);
  const tests = testFiles ? parsed(testFiles, tree, root) : testsOf(path, tree, root);
  const examples = examplesIn(testFiles ? tests : []);
  const candidates: Candidate[] = [];
  const leftOut: LeftOut[] = [];
  for (const found of exportedFunctions(typedFile, checker)) {
    const candidate = candidateOf(found, { path, outline, reader, checker, code, strict, examples });
    if (typeof candidate === 'string') leftOut.push({ path, name: found.name, reason: candidate });
    else candidates.push(candidate);
  }
  return {
    candidates,
    leftOut,
    material: { shapes: reader.shapes, constants: literalsOf([code, ...tests]) },
    emit: emitOptionsOf(options, root),
  };
}

interface Exported {
  readonly name: string;
  readonly exportedAs: string;
  readonly signature: ts.Signature;
  readonly declaration: ts.Declaration;
}

interface Surroundings {
  readonly path: string;
  readonly outline: ModuleOutline;
  readonly reader: ShapeReader;
  readonly checker: ts.TypeChecker;
  readonly code: ts.SourceFile;
  /** False if the repository does not check for null, so that any value may be null or undefined. */
  readonly strict: boolean;
  /** The arguments of calls in tests, by name. */
  readonly examples: ReadonlyMap<string, readonly (readonly Example[])[]>;
}

function parsed(paths: readonly string[], tree: SourceTree, root: string): ts.Node[] {
  return paths.flatMap((path) => {
    const text = tree.read(`${root}/${path}`);
    return text === undefined ? [] : [ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)];
  });
}

/** The declaration file beside a JavaScript file, which states its types; null if there is none. */
export function declarationsBeside(
  path: string,
  root: string,
  tree: SourceTree,
): { readonly path: string; readonly text: string } | null {
  if (!/\.[cm]?js$/.test(path)) return null;
  const beside = path.replace(/js$/, (end) => `d.${end.replace('js', 'ts')}`).replace(/\.([cm])d\.ts$/, '.d.$1ts');
  const text = tree.read(`${root}/${beside}`);
  return text === undefined ? null : { path: beside, text };
}

/** Functions that the file itself declares and exports. Of overloads, the first one with parameters is taken. */
function exportedFunctions(file: ts.SourceFile, checker: ts.TypeChecker): readonly Exported[] {
  const module = checker.getSymbolAtLocation(file);
  if (!module) return [];
  return checker.getExportsOfModule(module).flatMap((symbol): Exported[] => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declaration = target.valueDeclaration ?? target.declarations?.[0];
    if (!declaration || declaration.getSourceFile() !== file || ts.isClassLike(declaration)) return [];
    const signatures = checker.getTypeOfSymbolAtLocation(target, declaration).getCallSignatures();
    const signature = signatures.find((one) => one.getParameters().length > 0) ?? signatures[0];
    if (!signature) return [];
    const exportedAs = symbol.name === 'export=' ? 'default' : symbol.name;
    const own = target.name === 'default' || target.name === 'export=' ? nameAfter(file.fileName) : target.name;
    return [{ name: exportedAs === 'default' ? own : exportedAs, exportedAs, signature, declaration }];
  });
}

/** The function as a candidate, or the reason why it is left out, as a sentence. */
function candidateOf(found: Exported, around: Surroundings): Candidate | string {
  const { name, exportedAs, signature, declaration } = found;
  const { path, outline, reader, checker, code, strict } = around;
  const symbols = signature.getParameters();
  if (symbols.length === 0) return 'It takes nothing.';
  const from = [...outline.declarations.values()].find((one) => one.exportedAs === exportedAs)?.name ?? name;
  const mentioned = namesReachedFrom(outline, from);
  const outside = outsideName(mentioned, code);
  if (outside !== null) return `It uses \`${outside}\`, which reaches outside or is shared.`;
  const examples = around.examples.get(exportedAs) ?? around.examples.get(name) ?? [];
  const typed = typedParameters(found, around);
  const parameters = typeof typed === 'string' && examples.length > 0 ? anyParameters(signature) : typed;
  if (typeof parameters === 'string') return parameters;
  const guided = typeof typed === 'string';
  const types = symbols.map((symbol) =>
    checker.getTypeOfSymbolAtLocation(symbol, symbol.valueDeclaration ?? declaration),
  );
  const tags = ts.getJSDocTags(declaration).map(({ tagName }) => tagName.text);
  if (tags.includes('deprecated')) return 'It is deprecated.';
  const result = signature.getReturnType();
  const place = outline.declarations.get(from)?.node ?? declaration;
  const inCode = place.getSourceFile() === code;
  return {
    subject: {
      kind: 'function',
      path,
      name,
      access: name,
      exportedAs,
      parameters,
      range: rangeOf(inCode ? place : code, code),
      nameRange: rangeOf((inCode && nameOf(place)) || code.statements[0] || code, code),
      readsClock: [...CLOCK].some((word) => mentioned.has(word)),
      examples: examples.filter((list) => list.length <= parameters.length || parameters.at(-1)?.rest === true),
      guided,
      signed: SIGNED.test(place.getText(place.getSourceFile())),
    },
    mayBreak:
      !guided &&
      !tags.some((tag) => tag === 'throws' || tag === 'exception') &&
      !checker.getTypePredicateOfSignature(signature),
    checker,
    first: types[0] ?? null,
    second: types[1] ?? null,
    required: parameters.filter(({ optional, rest }) => !optional && !rest).length,
    result,
    strict,
    resultShape() {
      // A generic result depends on the arguments, so it has no fixed shape.
      if (signature.getTypeParameters()) return null;
      try {
        return { shape: reader.shapeOf(result, declaration), type: checker.typeToString(result) };
      } catch (error) {
        if (!(error instanceof Unsupported)) throw error;
        return null;
      }
    },
  };
}

/** What can be passed by the declared types, or why that is unknown, as a sentence. */
function typedParameters(
  { signature, declaration }: Exported,
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

function anyParameters(signature: ts.Signature): Subject['parameters'] {
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

function nameOf(node: ts.Node): ts.Node | undefined {
  return ts.getNameOfDeclaration(node as ts.Declaration) ?? node.getFirstToken();
}

/** The range of a node, 1-based; for a whole file, that of its first character. */
function rangeOf(node: ts.Node, file: ts.SourceFile): Range {
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

/** All names that a declaration mentions, directly or through other declarations of its file. */
function namesReachedFrom(
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

/** The first mentioned name that reaches beyond the arguments of a call; null if there is none. */
function outsideName(mentioned: ReadonlySet<string>, file: ts.SourceFile): string | null {
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    if (!OUTSIDE.test(statement.moduleSpecifier.text)) continue;
    const { importClause: clause } = statement;
    const bound = clause?.namedBindings;
    const names = [
      ...(clause?.name ? [clause.name.text] : []),
      ...(bound && ts.isNamespaceImport(bound) ? [bound.name.text] : []),
      ...(bound && ts.isNamedImports(bound) ? bound.elements.map(({ name }) => name.text) : []),
    ];
    const used = names.find((name) => mentioned.has(name));
    if (used !== undefined) return used;
  }
  return [...GLOBALS].find((name) => mentioned.has(name)) ?? null;
}

/** Derives a name for a default export without one from its file: `src/to-words.ts` → `toWords`. */
function nameAfter(fileName: string): string {
  const file = posix.basename(fileName).replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
  const stem = file === 'index' ? posix.basename(posix.dirname(fileName)) : file;
  const words = stem.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word, at) => (at === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('');
  return /^[A-Za-z]/.test(name) && name !== 'default' ? name : 'subject';
}
