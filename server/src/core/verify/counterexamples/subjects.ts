// Finds the exported functions of a file that can be called with values of their declared types, with the reasons why
// others cannot.

import { listModuleStatements } from './wrappedModule.ts';
import { ts } from 'ts-morph';
import type { SourceTree } from '../../ports/sources.ts';
import { readsThis } from '../../syntax/readsThis.ts';
import { parseModuleOutline } from '../differential/declarations.ts';
import { extractEmitOptions } from '../differential/emitOptions.ts';
import { collectLiterals } from '../differential/literals.ts';
import type { EmitOptions, Shape } from '../differential/plan.ts';
import { getNodeRange, type ExaminedFile } from './examinedFile.ts';
import { collectReachedNames, findOutsideName } from './outsideNames.ts';
import { createAnyParameters, SIGNED_PATTERN, readTypedParameters } from './parameters.ts';
import { readsClock } from './clock.ts';
import { findEntry } from './entry.ts';
import { findDeclarationFile } from './declaredTypes.ts';
import { createExampleOrigins } from './origins/exampleOrigins.ts';
import { DOCUMENTATION_FILE, collectExamples } from './examples.ts';
import type { LoadFile } from './imports.ts';
import { findDeclarationName } from './declarationName.ts';
import { collectExportedFunctions, findDeclaringNode, type ExportedFunction } from './exportedFunctions.ts';
import { createReturnedSubject } from './returnedSubject.ts';
import { collectExportedClasses, findMembers } from './members.ts';
import { isForItsPackage } from './privateTag.ts';
import { findPrototypeMethods } from './prototypes.ts';
import { collectMeasuredCalls, readRelations } from './measuredCalls.ts';
import { findUsedObjects, type DeclaredExport } from '../sequences/usedObjects.ts';
import { collectOptionNames } from './optionNames.ts';
import { findPrecondition } from './precondition.ts';
import { findTests, type OpenFile } from '../differential/planDifferential.ts';
import { createShapeReader, Unsupported } from '../differential/shapes.ts';
import type { RecordedCalls } from '../guard/recordedCalls.ts';
import { findRecordedCalls } from '../guard/recorders.ts';
import type { ExampleValue, SkippedFunction, ArgumentSources, Subject } from './plan.ts';

const README_NAMES = ['README.md', 'Readme.md', 'readme.md'];
/** Matches a code block of TypeScript or JavaScript in Markdown. */
const FENCE_PATTERN = /^[ \t]*```(?:ts|js|typescript|javascript|mjs|cjs)?[ \t]*\r?\n([^]*?)^[ \t]*```/gm;

/** A function to call, with the types that determine which laws it must obey. */
export interface CallableSubject {
  readonly subject: Subject;
  /**
   * True if the law `breaks` applies. False if the function is documented to throw, is a type predicate, or if only
   * examples show what can be passed.
   */
  readonly mayBreak: boolean;
  readonly checker: ts.TypeChecker;
  /** The type of the first parameter; null if there is none. */
  readonly firstType: ts.Type | null;
  /** The type of the second parameter; null if there is none. */
  readonly secondType: ts.Type | null;
  /** Number of required parameters. */
  readonly required: number;
  readonly result: ts.Type;
  /** True if the repository checks for null, so that a result is null or undefined only if its type says so. */
  readonly checksForNull: boolean;
  /** The declared result type, as a shape and as code; null if its values cannot be described. */
  resultShape(): { readonly shape: Shape; readonly type: string } | null;
}

/** The functions of one file that a search may call. */
export interface FileSubjects {
  readonly candidates: readonly CallableSubject[];
  /** Members of classes, returned functions, and objects that tests use; empty unless test files are given. */
  readonly members: readonly Subject[];
  readonly leftOut: readonly SkippedFunction[];
  readonly material: ArgumentSources;
  readonly emit: EmitOptions;
}

/**
 * The exported functions of the file, callable or skipped; null if the file does not exist. `load`: opens tests and the
 * files that they import. `recorded`: the calls of its functions that were recorded while the tests ran. `imports`: the
 * files that each test imports, by its path. `callers`: other code that may call its functions.
 */
export function findSubjects(
  path: string,
  testFiles: readonly string[] | undefined,
  tree: SourceTree,
  openFile: OpenFile,
  load: LoadFile,
  recorded?: RecordedCalls[string],
  imports: Readonly<Record<string, readonly string[]>> = {},
  callers: readonly ts.SourceFile[] = [],
): FileSubjects | null {
  const root = tree.rootDir.replaceAll('\\', '/');
  const text = tree.read(`${root}/${path}`);
  if (text === undefined) return null;
  const declarationFile = findDeclarationFile(path, root, tree);
  const openedTypedFile = openFile(tree, `${root}/${declarationFile?.path ?? path}`, declarationFile?.text ?? text);
  const typedFile = openedTypedFile.sourceFile();
  const checker = openedTypedFile.checker();
  const code = declarationFile ? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) : typedFile;
  const outline = parseModuleOutline(code, listModuleStatements(code));
  const options = openedTypedFile.service.getProgram()?.getCompilerOptions() ?? {};
  const strict = options.strictNullChecks ?? options.strict ?? false;
  const reader = createShapeReader(checker, new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []), true);
  const testSources = testFiles ? testFiles.flatMap((testFile) => load(testFile) ?? []) : null;
  const tests: readonly ts.Node[] = testSources ?? findTests(path, tree, root);
  const exists = (candidate: string) => tree.fileExists(`${root}/${candidate}`);
  const entry = testSources && findEntry(path, testSources, exists, imports);
  const examples = collectExamples(
    testFiles ? [...tests, ...collectDocumentationExamples(text, root, tree)] : [],
    load,
    createExampleOrigins(path, load),
  );
  const candidates: CallableSubject[] = [];
  const skipped: SkippedFunction[] = [];
  const examinedFile: ExaminedFile = {
    ...{ path, outline, reader, checker, code, checksForNull: strict, examples },
    measuredCalls: testFiles ? collectMeasuredCalls([...new Set([...tests, code, ...callers])]) : new Map(),
    ...(recorded && { recorded }),
  };
  const returned: Subject[] = [];
  const functions = collectExportedFunctions(typedFile, checker);
  for (const exportedFunction of functions) {
    const candidate = createCandidate(exportedFunction, examinedFile);
    const returnedSubject =
      testFiles && !mayNotBeCalled(exportedFunction, examinedFile)
        ? createReturnedSubject(exportedFunction, examinedFile, findDeclaringNode(exportedFunction, outline))
        : null;
    if (returnedSubject) returned.push(returnedSubject);
    else if (typeof candidate === 'string') skipped.push({ path, name: exportedFunction.name, reason: candidate });
    else candidates.push(candidate);
  }
  const classes = collectExportedClasses(typedFile, checker);
  const members = testFiles
    ? findMembers(typedFile, examinedFile)
    : { subjects: [], leftOut: classes.map(({ className }) => ({ path, name: className, reason: 'It is a class.' })) };
  const prototypeMethods = testSources
    ? findPrototypeMethods(functions, testSources, examinedFile)
    : { subjects: [], leftOut: [] };
  const declaredNames: readonly DeclaredExport[] = [
    ...classes.map(({ className, exportedAs, node }) => ({
      name: className,
      exportedAs,
      node,
    })),
    ...functions.map((exportedFunction) => ({
      name: exportedFunction.name,
      exportedAs: exportedFunction.exportedAs,
      node: findDeclaringNode(exportedFunction, outline),
    })),
  ];
  const usedObjects = testSources
    ? findUsedObjects(declaredNames, testSources, load, examinedFile)
    : { subjects: [], leftOut: [] };
  return {
    candidates,
    members: [...returned, ...members.subjects, ...prototypeMethods.subjects, ...usedObjects.subjects],
    leftOut: [...skipped, ...members.leftOut, ...prototypeMethods.leftOut, ...usedObjects.leftOut],
    material: { shapes: reader.shapes, constants: collectLiterals([code, ...tests]), ...(entry && { entry }) },
    emit: extractEmitOptions(options, root),
  };
}

/** The code blocks in the README of the repository and in the comments of a file. */
function collectDocumentationExamples(text: string, root: string, tree: SourceTree): readonly ts.SourceFile[] {
  const readme =
    README_NAMES.map((name) => tree.read(`${root}/${name}`)).find((content) => content !== undefined) ?? '';
  const comments = text
    .split('/**')
    .slice(1)
    .map((part) => part.slice(0, Math.max(0, part.indexOf('*/'))).replaceAll(/^[ \t]*\*/gm, ''));
  return [...comments, readme].flatMap((part) =>
    [...part.matchAll(FENCE_PATTERN)].map(([, code = '']) =>
      ts.createSourceFile(DOCUMENTATION_FILE, code, ts.ScriptTarget.Latest, true),
    ),
  );
}

/** The function as a candidate; otherwise, the reason why it is skipped, as a sentence. */
function createCandidate(exportedFunction: ExportedFunction, examinedFile: ExaminedFile): CallableSubject | string {
  const { name, exportedAs, signature, declaration } = exportedFunction;
  const { path, outline, reader, checker, code, checksForNull } = examinedFile;
  const symbols = signature.getParameters();
  if (symbols.length === 0) return 'It takes nothing.';
  if (isMethodOfThis(declaration)) return 'It needs a value for `this`.';
  const declarationName = findDeclarationName(outline, exportedFunction, code);
  const mentioned = collectReachedNames(outline, declarationName);
  const outside = findOutsideName(mentioned, code);
  if (outside !== null) return `It uses \`${outside}\`, which reaches outside or is shared.`;
  const examples = collectSubjectExamples(exportedFunction, examinedFile);
  const typed = readTypedParameters(exportedFunction, examinedFile);
  const parameters = typeof typed === 'string' && examples.length > 0 ? createAnyParameters(signature) : typed;
  if (typeof parameters === 'string') return parameters;
  const guided = typeof typed === 'string';
  const types = symbols.map((symbol) =>
    checker.getTypeOfSymbolAtLocation(symbol, symbol.valueDeclaration ?? declaration),
  );
  const tags = ts.getJSDocTags(declaration).map(({ tagName }) => tagName.text);
  if (tags.includes('deprecated')) return 'It is deprecated.';
  const result = signature.getReturnType();
  const declaringNode = findDeclaringNode(exportedFunction, outline);
  const isInCode = declaringNode.getSourceFile() === code;
  const body = declaringNode.getText(declaringNode.getSourceFile());
  const precondition = findPrecondition(declaration) ?? findPrecondition(declaringNode);
  return {
    subject: {
      kind: 'function',
      path,
      name,
      access: exportedFunction.declaredAs ?? name,
      exportedAs,
      parameters,
      range: getNodeRange(isInCode ? declaringNode : code, code),
      nameRange: getNodeRange((isInCode && findName(declaringNode)) || code.statements[0] || code, code),
      readsClock: readsClock(outline, declarationName, mentioned),
      examples: examples.filter((example) => example.length <= parameters.length || parameters.at(-1)?.rest === true),
      guided,
      ...(guided && { keys: collectOptionNames(declaringNode) }),
      signed: SIGNED_PATTERN.test(body),
      ...readRelations(parameters, examples, examinedFile.measuredCalls, [exportedAs, name], body),
      ...(precondition !== null && { precondition }),
    },
    mayBreak:
      !guided &&
      !tags.some((tag) => tag === 'throws' || tag === 'exception') &&
      !checker.getTypePredicateOfSignature(signature),
    checker,
    firstType: types[0] ?? null,
    secondType: types[1] ?? null,
    required: parameters.filter(({ optional, rest }) => !optional && !rest).length,
    result,
    checksForNull: checksForNull,
    resultShape() {
      // A generic result type depends on the arguments, so it has no fixed shape.
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

/**
 * The argument lists that the tests spell out, then those that were recorded while the tests ran. The recorded ones are
 * omitted if the function is documented as private, because a maintainer would hardly want a separate test for it.
 */
function collectSubjectExamples(
  exportedFunction: ExportedFunction,
  { examples, recorded, code, outline }: ExaminedFile,
): readonly (readonly ExampleValue[])[] {
  const { name, exportedAs, declaration } = exportedFunction;
  const exampleLists = examples.get(exportedAs) ?? examples.get(name) ?? [];
  const node = declaration.getSourceFile() === code ? declaration : findDeclaringNode(exportedFunction, outline);
  const recordedLists = isForItsPackage(node) ? [] : findRecordedCalls(recorded, node, code);
  // The documentation may use the same name for another function.
  const hasRecordedLength = ({ length }: readonly ExampleValue[]) =>
    recordedLists.length === 0 || recordedLists.some((args) => args.length === length);
  const allLists = [...exampleLists.filter(hasRecordedLength), ...recordedLists];
  return [...new Map(allLists.map((args) => [JSON.stringify(args), args])).values()];
}

/**
 * True for a function in an object literal that reads `this`. Other code sets up what it reads there, such as a class
 * whose instances inherit from the object.
 */
function isMethodOfThis(declaration: ts.Declaration): boolean {
  const isInObject = ts.isMethodDeclaration(declaration)
    ? ts.isObjectLiteralExpression(declaration.parent)
    : ts.isFunctionExpression(declaration) && ts.isPropertyAssignment(declaration.parent);
  return isInObject && readsThis(declaration);
}

/** True if the function is deprecated, or uses a name that acts outside or is shared. */
function mayNotBeCalled(exportedFunction: ExportedFunction, { outline, code }: ExaminedFile): boolean {
  if (ts.getJSDocTags(exportedFunction.declaration).some(({ tagName }) => tagName.text === 'deprecated')) return true;
  return (
    findOutsideName(collectReachedNames(outline, findDeclarationName(outline, exportedFunction, code)), code) !== null
  );
}

function findName(node: ts.Node): ts.Node | undefined {
  return ts.getNameOfDeclaration(node as ts.Declaration) ?? node.getFirstToken();
}
