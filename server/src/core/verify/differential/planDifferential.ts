// Decides what to compare for a set of edits: the touched functions, and the code that reaches those which cannot be
// called themselves.

import { SCRIPT_PATTERN, DECLARATION_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { listTestPaths } from '../../paths/tests.ts';
import { collectNamedCalls } from '../claims/namedCalls.ts';
import { adoptConstants } from './constants.ts';
import { areSameSteps } from './controlFlow.ts';
import { parseModuleOutline, type Declaration, type ModuleOutline } from './declarations.ts';
import { emitJavaScript, explainHiddenDifference, findUnexportedNames } from './emitJavaScript.ts';
import { extractEmitOptions } from './emitOptions.ts';
import { removeUnusedNodeImports } from './unusedNodeImports.ts';
import { findMovedLimits } from './limits.ts';
import { collectLiterals } from './literals.ts';
import { findPlatformNames } from './platformNames.ts';
import type { ComparedFile, DifferentialPlan, ClassMember, Parameter, Shape, ComparedTarget } from './plan.ts';
import { createShapeReader, Unsupported, type ShapeReader } from './shapes.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { hasModifier } from '../../syntax/declarations/modifiers.ts';

/** The part of a TypeScript project that the plan needs. */
export interface CheckedFile {
  sourceFile(): ts.SourceFile;
  checker(): ts.TypeChecker;
  readonly service: Pick<ts.LanguageService, 'getProgram'>;
}

/** Opens a file of the tree with this text, under the settings of its TypeScript project. */
export type OpenFile<File extends CheckedFile = CheckedFile> = (
  tree: SourceTree,
  absolutePath: string,
  text: string,
) => File;

/** Maximum number of targets. With more, each would get too little time. */
const MAX_TARGETS = 16;

/**
 * Plans the comparison of both sides of the edits. Inputs follow the types of the old text, because only inputs that
 * were valid before can be compared. Only reads the tree. `tests`: the edits of the tests that belong to the change.
 */
export function planDifferential(
  edits: readonly FileEdit[],
  tree: SourceTree,
  openFile: OpenFile,
  tests: readonly FileEdit[] = [],
): DifferentialPlan {
  const files: ComparedFile[] = [];
  const identical: string[] = [];
  const restructured: string[] = [];
  const unexported: { path: string; names: readonly string[] }[] = [];
  const created: string[] = [];
  const targets: ComparedTarget[] = [];
  const gaps: string[] = [];
  const platform: string[] = [];
  const shapes: Record<string, Shape> = {};
  const literals: ts.Node[] = [];
  /** The touched code of both sides. The two sides may differ at values that only one of them checks for. */
  const newNodes: ts.Node[] = [];
  let emit: DifferentialPlan['emit'] = { compiler: {}, paths: {}, baseUrl: null };
  for (const { path, before, after } of edits) {
    if (!SCRIPT_PATTERN.test(path))
      gaps.push(`Calls of ${path} cannot be compared: it is not TypeScript, JavaScript or Python.`);
    if (!SCRIPT_PATTERN.test(path) || DECLARATION_PATTERN.test(path)) continue;
    if (before === null) {
      created.push(path);
      newNodes.push(ts.createSourceFile(path, after ?? '', ts.ScriptTarget.Latest, true));
      continue;
    }
    if (after === null) {
      gaps.push(`${path} is gone.`);
      continue;
    }
    const root = tree.rootDir.replaceAll('\\', '/');
    const newCode = removeUnusedNodeImports(emitJavaScript(path, after));
    const oldCode = adoptConstants(
      removeUnusedNodeImports(emitJavaScript(path, before)),
      newCode,
      ts.isExternalModule(ts.createSourceFile(path, before, ts.ScriptTarget.Latest)),
    );
    if (oldCode === newCode) {
      addEqualCode({ path, before, after }, identical, gaps);
      continue;
    }
    if (areSameSteps(oldCode, newCode)) {
      restructured.push(path);
      continue;
    }
    const noLongerExported = findUnexportedNames(oldCode, newCode);
    if (noLongerExported.length > 0) {
      unexported.push({ path, names: noLongerExported });
      continue;
    }
    const openedFile = openFile(tree, `${root}/${path}`, before);
    emit = extractEmitOptions(openedFile.service.getProgram()?.getCompilerOptions() ?? {}, root);
    const fileTargets = findTargets({ path, before, after }, openedFile, shapes, edits, tree);
    platform.push(...fileTargets.platform);
    files.push({ path, before, after });
    targets.push(...fileTargets.targets);
    gaps.push(...fileTargets.gaps, ...findMovedLimits(oldCode, newCode));
    // Both sides are added, because either of them may check for a value that the other does not know.
    newNodes.push(...fileTargets.touchedNow, ...fileTargets.touched);
    literals.push(...fileTargets.touched, ...findTests(path, tree, root), openedFile.sourceFile());
  }
  // New code is compared through the code that uses it. If no compared code differs, it is not compared.
  if (files.length === 0)
    gaps.push(...created.map((path) => `${path} is new, and nothing that is compared reaches it.`));
  // If other code differs as well, removed exports are gaps.
  if (files.length > 0)
    for (const { names } of unexported) gaps.push(...names.map((name) => `\`${name}\` is no longer exported.`));
  if (targets.length > MAX_TARGETS)
    gaps.push(`${targets.length - MAX_TARGETS} of ${targets.length} touched functions are left out.`);
  return {
    identical,
    restructured,
    unexported,
    files,
    created: files.length > 0 ? created : [],
    targets: targets.slice(0, MAX_TARGETS),
    gaps,
    platform: [...new Set(platform)],
    shapes,
    constants: collectLiterals(literals, newNodes),
    emit,
    named: collectNamedCalls(tests),
  };
}

/** Adds the file to `identical`, or a sentence to `gaps` if it may still run differently. */
function addEqualCode({ path, before, after }: ComparedFile, identical: string[], gaps: string[]): void {
  const hiddenDifference = explainHiddenDifference(path, before, after);
  if (hiddenDifference === null) identical.push(path);
  else gaps.push(hiddenDifference);
}

/** The targets in one file, the touched nodes of both sides, and the code that is not compared. Adds to `shapes`. */
function findTargets(
  { path, before, after }: ComparedFile,
  openedFile: CheckedFile,
  shapes: Record<string, Shape>,
  edits: readonly FileEdit[],
  tree: SourceTree,
): {
  readonly targets: readonly ComparedTarget[];
  readonly gaps: readonly string[];
  readonly platform: readonly string[];
  readonly touched: readonly ts.Node[];
  readonly touchedNow: readonly ts.Node[];
} {
  const sourceFile = openedFile.sourceFile();
  const oldOutline = parseModuleOutline(sourceFile);
  const newOutline = parseModuleOutline(ts.createSourceFile(path, after, ts.ScriptTarget.Latest, true));
  const names = findTouchedNames(oldOutline, newOutline);
  const gaps: string[] = [];
  if (oldOutline.looseStatements.join('\n') !== newOutline.looseStatements.join('\n'))
    gaps.push(`What ${path} does when it is loaded has changed.`);
  const reader = createShapeReader(openedFile.checker(), collectNames(before, after), true);
  const targets: ComparedTarget[] = [];
  const touchedNodes: ts.Node[] = [];
  const unsupported = new Map<string, string>();
  const wantedNames = findWantedNames(names, oldOutline, newOutline);
  for (const name of wantedNames.targets) {
    const declaration = oldOutline.declarations.get(name);
    if (!declaration) continue;
    touchedNodes.push(declaration.node);
    try {
      const target = findTarget(path, declaration, openedFile.checker(), reader);
      if (target) targets.push(target);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      unsupported.set(name, `\`${name}\` takes ${error.message}, for which no values can be generated.`);
    }
  }
  // A function that cannot be called itself may be reached through another one; coverage shows whether it is.
  const comparedNames = new Set(targets.map(({ name }) => name));
  for (const name of names) {
    const wasReached =
      comparedNames.has(name) ||
      [...comparedNames].some(
        (target) => reachesDeclaration(oldOutline, target, name) || reachesDeclaration(newOutline, target, name),
      );
    if (!wasReached && !hasTouchedMember(name, names))
      gaps.push(unsupported.get(name) ?? `\`${name}\` cannot be reached from anything that can be compared.`);
  }
  Object.assign(shapes, reader.shapes);
  for (const name of wantedNames.gone) gaps.push(`\`${name}\` is no longer exported.`);
  const touchedNow = [...names].flatMap((name) => newOutline.declarations.get(name)?.node ?? []);
  const platform = findPlatformNames(
    { path, old: oldOutline, now: newOutline, names, targets: comparedNames },
    edits,
    tree,
  );
  return { targets, gaps, platform, touched: touchedNodes, touchedNow };
}

/**
 * True if a member of the declaration is also touched, such as `api.get` of `api`. Comparing the member is more
 * precise.
 */
function hasTouchedMember(name: string, names: ReadonlySet<string>): boolean {
  return [...names].some((otherName) => otherName.startsWith(`${name}.`));
}

/** Names of the declarations that differ, are new, are removed, or are no longer exported. */
function findTouchedNames(old: ModuleOutline, newOutline: ModuleOutline): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [name, { printedCode, exportedAs }] of old.declarations) {
    const now = newOutline.declarations.get(name);
    // A constant is printed the same whether or not its statement exports it.
    if (now?.printedCode !== printedCode || (exportedAs !== null && now.exportedAs === null)) names.add(name);
  }
  for (const name of newOutline.declarations.keys()) if (!old.declarations.has(name)) names.add(name);
  return names;
}

/**
 * `targets`: the touched declarations that can be compared, and exports and members that reach one of the others.
 * `gone`: the touched declarations that are no longer exported.
 */
function findWantedNames(
  touched: ReadonlySet<string>,
  old: ModuleOutline,
  newOutline: ModuleOutline,
): { readonly targets: ReadonlySet<string>; readonly gone: readonly string[] } {
  const targets = new Set<string>();
  const noLongerExported: string[] = [];
  for (const name of touched) {
    const before = old.declarations.get(name);
    const after = newOutline.declarations.get(name);
    if (before?.exportedAs && !after?.exportedAs) noLongerExported.push(name);
    const isComparable =
      before &&
      after &&
      before.kind !== 'import' &&
      (isPassedOn(before, after) || (before.kind === after.kind && countParameters(before) === countParameters(after)));
    if (isComparable && (before.kind !== 'value' || before.exportedAs) && !hasTouchedMember(name, touched))
      targets.add(name);
    if (isComparable && before.exportedAs && before.kind !== 'value') continue;
    for (const [user, { kind, exportedAs }] of old.declarations) {
      if (
        (kind === 'function' || kind === 'class') &&
        (exportedAs || user.includes('.')) &&
        newOutline.declarations.has(user) &&
        (reachesDeclaration(old, user, name) || reachesDeclaration(newOutline, user, name))
      )
        targets.add(user);
    }
    // If only code without an export uses an import or a value, the functions that use it are called instead.
    if (before?.kind === 'value' || before?.kind === 'import' || !before) {
      for (const [user, { kind }] of old.declarations)
        if (
          kind === 'function' &&
          newOutline.declarations.has(user) &&
          (old.declarations.get(user)?.references.has(name) || newOutline.declarations.get(user)?.references.has(name))
        )
          targets.add(user);
    }
  }
  return { targets, gone: noLongerExported };
}

/** True if the function moved to another module and is re-exported here. */
function isPassedOn(before: Declaration, after: Declaration): boolean {
  return (
    before.kind === 'function' &&
    after.kind === 'import' &&
    before.exportedAs !== null &&
    before.exportedAs === after.exportedAs
  );
}

function countParameters({ callable }: Declaration): number {
  return callable?.parameters.length ?? -1;
}

/** True if the declaration `from` mentions the name `to`, directly or through other declarations of the file. */
function reachesDeclaration(outline: ModuleOutline, from: string, to: string, visited = new Set<string>()): boolean {
  if (visited.has(from)) return false;
  visited.add(from);
  const references = outline.declarations.get(from)?.references;
  if (!references) return false;
  if (references.has(to)) return true;
  return [...references].some((name) => reachesDeclaration(outline, name, to, visited));
}

/** The declaration as a target; null for an import. Throws `Unsupported` if no values can be generated for it. */
function findTarget(
  path: string,
  declaration: Declaration,
  checker: ts.TypeChecker,
  reader: ShapeReader,
): ComparedTarget | null {
  const { name, access, kind, node, callable, exportedAs } = declaration;
  if (kind === 'value') return { kind, path, name, access };
  if (kind === 'function' && callable) {
    const signature = checker.getSignatureFromDeclaration(callable);
    if (!signature) throw new Unsupported('what the type checker does not know');
    const self = callable.parameters[0];
    if (self && ts.isIdentifier(self.name) && self.name.text === 'this') throw new Unsupported('a `this`');
    return { kind, path, name, access, exportedAs, parameters: reader.parametersOf(signature, callable) };
  }
  if (kind === 'class') return createClassTarget(path, declaration, node, checker, reader);
  return null;
}

function createClassTarget(
  path: string,
  { name, access }: Declaration,
  node: ts.Node,
  checker: ts.TypeChecker,
  reader: ShapeReader,
): ComparedTarget {
  const classNode = ts.isClassDeclaration(node)
    ? node
    : ts.forEachChild(node, function find(child): ts.ClassExpression | undefined {
        return ts.isClassExpression(child) ? child : ts.forEachChild(child, find);
      });
  if (!classNode) throw new Unsupported('what no constructor is known for');
  if (hasModifier(classNode, ts.SyntaxKind.AbstractKeyword))
    throw new Unsupported('no constructor, because it is abstract');
  const { symbol } = checker.getTypeAtLocation(classNode.name ?? classNode);
  const [construct] = checker.getTypeOfSymbolAtLocation(symbol, classNode).getConstructSignatures();
  const parameters = construct ? reader.parametersOf(construct, classNode) : [];
  const members: ClassMember[] = [];
  for (const member of classNode.members) {
    const memberShape = createPublicMember(member, checker, reader);
    if (memberShape) members.push(memberShape);
  }
  return { kind: 'class', path, name, access, parameters, members };
}

/** The member as it can be used from outside; null for any other member. */
function createPublicMember(member: ts.ClassElement, checker: ts.TypeChecker, reader: ShapeReader): ClassMember | null {
  if (!member.name || !ts.isIdentifier(member.name)) return null;
  const flags = ts.getCombinedModifierFlags(member);
  if (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Abstract)) return null;
  const commonFields = { name: member.name.text, static: (flags & ts.ModifierFlags.Static) !== 0 };
  if (ts.isGetAccessor(member)) return { ...commonFields, kind: 'get', parameters: [] };
  if (!ts.isMethodDeclaration(member) && !ts.isSetAccessor(member)) return null;
  if (!member.body) return null;
  const signature = checker.getSignatureFromDeclaration(member);
  if (!signature) return null;
  try {
    const parameters: Parameter[] = reader.parametersOf(signature, member);
    return { ...commonFields, kind: ts.isSetAccessor(member) ? 'set' : 'method', parameters };
  } catch (error) {
    // The other members can still be called. If this one was touched, no input reaches its lines, and the report says
    // so.
    if (error instanceof Unsupported) return null;
    throw error;
  }
}

function collectNames(...texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
}

/** The parsed tests of the file, at most two: next to the file, or with its name in a folder of tests. */
export function findTests(path: string, tree: SourceTree, root: string): ts.Node[] {
  const testNodes: ts.Node[] = [];
  for (const candidate of listTestPaths(path).map((index) => posix.join(root, index))) {
    if (candidate === `${root}/${path}` || testNodes.length >= 2) continue;
    const text = tree.read(candidate);
    if (text !== undefined) testNodes.push(ts.createSourceFile(candidate, text, ts.ScriptTarget.Latest, true));
  }
  return testNodes;
}
