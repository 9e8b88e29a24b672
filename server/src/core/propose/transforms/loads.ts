// Finds calls that load a module at run time (`import(…)`, `require(…)` and similar calls), the modules that they may
// load, and the uses of these modules.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { normaliseModulePath, type Importers } from '../exports/importers.ts';
import { collectDescendants } from '../syntax/locate.ts';

/** A call that loads a module whose name is not a literal. */
export interface ComputedLoad {
  /** The file that contains the call. */
  readonly path: string;
  readonly call: ts.CallExpression;
  readonly sourceFile: ts.SourceFile;
  /** True if the call may load this file. */
  mayLoad(path: string): boolean;
}

/** The uses of one member of a loaded module; `'all'` if they are unknown. */
type MemberUses = readonly ts.Node[] | 'all';

/**
 * Matches a call that loads a module, unless its first argument is a string literal. A comment before the argument
 * makes it match, too.
 */
const COMPUTED_PATTERN =
  /\b(?:import|require|requireActual|importActual)\s*\((?!\s*(['"`])[^'"`\n$]*\1\s*[,)])|\brequire\.context\b|\bimport\.meta\.glob/;

/** Matches the extension of a script. */
const SCRIPT_EXTENSION_PATTERN = /^\.[cm]?[jt]sx?$/;

/** Finds the calls in all scripts that load a module by a computed name. */
export function findComputedLoads(importers: Importers): readonly ComputedLoad[] {
  return importers.scripts().flatMap((path) => {
    const sourceFile = COMPUTED_PATTERN.test(importers.text(path)) ? importers.sourceFile(path) : null;
    if (!sourceFile) return [];
    return collectDescendants(sourceFile)
      .filter(isModuleLoad)
      .flatMap((call) => {
        const [nameArgument] = call.arguments;
        if (!nameArgument || (!isImportByGlob(call) && ts.isStringLiteralLike(nameArgument))) return [];
        const pathFilters = (
          ts.isArrayLiteralExpression(nameArgument) ? [...nameArgument.elements] : [nameArgument]
        ).map((element) => createPathFilter(path, collectKnownParts(element, call, sourceFile)));
        return [
          { path, call, sourceFile, mayLoad: (loadedPath: string) => pathFilters.some((test) => test(loadedPath)) },
        ];
      });
  });
}

/**
 * Finds the first page or component that loads modules by computed names, because it is unknown which modules these
 * are; undefined if there is none.
 */
export function findComputedPage(importers: Importers): string | undefined {
  return importers.pages().find((path) => COMPUTED_PATTERN.test(importers.text(path)));
}

/**
 * True for a call that loads a module: a call of `import`, of `require`, or of a function of a test runner or bundler
 * that does so.
 */
export function isModuleLoad(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  if (expression.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(expression)) return expression.text === 'require';
  return (
    isImportByGlob(node) ||
    (ts.isPropertyAccessExpression(expression) && /^(?:require|import)Actual$/.test(expression.name.text))
  );
}

/** Finds the uses of the member `name` of the module that a call loads. */
export function findUsesOfLoaded(sourceFile: ts.SourceFile, call: ts.CallExpression, name: string): MemberUses {
  if (isImportByGlob(call)) return 'all';
  let moduleExpression: ts.Node = call;
  let isPromise = returnsPromise(call);
  for (; isTransparent(moduleExpression.parent); moduleExpression = moduleExpression.parent)
    if (ts.isAwaitExpression(moduleExpression.parent)) isPromise = false;
  const { parent } = moduleExpression;
  if (ts.isExpressionStatement(parent)) return [];
  if (ts.isPropertyAccessExpression(parent))
    return isPromise ? findUsesInThen(sourceFile, parent, name) : findUsesOfMember(parent, name);
  if (isPromise || !ts.isVariableDeclaration(parent)) return 'all';
  const statement = parent.parent.parent;
  const isExported = ts.isVariableStatement(statement) && (statement.modifiers?.length ?? 0) > 0;
  return isExported ? 'all' : findUsesOfBinding(sourceFile, parent.name, name);
}

/** True if the call returns a promise of the module. */
function returnsPromise({ expression }: ts.CallExpression): boolean {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isPropertyAccessExpression(expression) && expression.name.text === 'importActual')
  );
}

/** True for calls that load every module whose path matches a pattern. */
function isImportByGlob({ expression }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const object = expression.expression;
  return ts.isMetaProperty(object)
    ? /^glob/.test(expression.name.text)
    : ts.isIdentifier(object) && object.text === 'require' && expression.name.text === 'context';
}

/** True for an expression with the same value as its operand, apart from awaiting it. */
function isTransparent(node: ts.Node): boolean {
  return (
    ts.isAwaitExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  );
}

/** Finds the uses in the callback of `import(…).then`. */
function findUsesInThen(sourceFile: ts.SourceFile, thenAccess: ts.PropertyAccessExpression, name: string): MemberUses {
  const { parent, name: method } = thenAccess;
  if (method.text !== 'then') return 'all';
  const [callback, ...otherArguments] =
    ts.isCallExpression(parent) && parent.expression === thenAccess ? parent.arguments : [];
  if (!callback || otherArguments.length > 0 || !(ts.isArrowFunction(callback) || ts.isFunctionExpression(callback)))
    return 'all';
  const [parameter] = callback.parameters;
  return parameter ? findUsesOfBinding(sourceFile, parameter.name, name) : [];
}

/** Finds the uses of the member in the module that is bound to this name or pattern. */
function findUsesOfBinding(sourceFile: ts.SourceFile, binding: ts.BindingName, name: string): MemberUses {
  if (ts.isIdentifier(binding)) {
    const usesOfParts = findReferencesTo(sourceFile, binding.text).map(({ parent }) =>
      ts.isPropertyAccessExpression(parent) ? findUsesOfMember(parent, name) : 'all',
    );
    return usesOfParts.includes('all') ? 'all' : usesOfParts.flatMap((uses) => uses as readonly ts.Node[]);
  }
  const uses: ts.Node[] = [];
  for (const element of binding.elements) {
    if (!ts.isBindingElement(element)) return 'all';
    const member = element.propertyName ?? element.name;
    if (element.dotDotDotToken || !ts.isIdentifier(member)) return 'all';
    if (member.text !== name && member.text !== 'default') continue;
    if (member.text !== name || !ts.isIdentifier(element.name)) return 'all';
    uses.push(...findReferencesTo(sourceFile, element.name.text));
  }
  return uses;
}

/**
 * Finds the use of the member in one access. `default` may be the whole module if one of both files is compiled to
 * CommonJS.
 */
function findUsesOfMember(access: ts.PropertyAccessExpression, name: string): MemberUses {
  if (access.name.text === name) return [access];
  return access.name.text === 'default' ? 'all' : [];
}

/** Finds the references to a name, except its declarations and members of the same name. */
function findReferencesTo(sourceFile: ts.SourceFile, name: string): readonly ts.Identifier[] {
  return collectDescendants(sourceFile).filter((node): node is ts.Identifier => {
    if (!ts.isIdentifier(node) || node.text !== name) return false;
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) return parent.name !== node;
    if (ts.isBindingElement(parent)) return parent.initializer === node;
    return !((ts.isVariableDeclaration(parent) || ts.isParameter(parent)) && parent.name === node);
  });
}

/** The parts of a string that are known without running the program. */
interface KnownParts {
  /** The known beginning of the text; empty if it is unknown. */
  readonly head: string;
  /** The known end of the text; empty if it is unknown. */
  readonly tail: string;
  /** True if `head` is the whole text. */
  readonly isComplete: boolean;
}

/** The known parts of a text about which nothing is known. */
const UNKNOWN_PARTS: KnownParts = { head: '', tail: '', isComplete: false };

/** Finds the known parts of the module name in a call; for a pattern, those before and after its wildcards. */
function collectKnownParts(nameArgument: ts.Node, call: ts.CallExpression, sourceFile: ts.SourceFile): KnownParts {
  const parts = findKnownParts(nameArgument, sourceFile);
  if (!isImportByGlob(call) || !parts.isComplete) return parts;
  const isFolder = call.expression.getText(sourceFile) === 'require.context';
  const head = isFolder ? `${parts.head}/` : parts.head.replace(/[*?{[!(].*$/, '');
  return { head, tail: isFolder ? '' : parts.head.slice(head.length), isComplete: false };
}

/** Finds the known parts of the text that an expression evaluates to. */
function findKnownParts(nameArgument: ts.Node, sourceFile: ts.SourceFile): KnownParts {
  if (ts.isStringLiteralLike(nameArgument))
    return { head: nameArgument.text, tail: nameArgument.text, isComplete: true };
  if (ts.isTemplateExpression(nameArgument))
    return {
      head: nameArgument.head.text,
      tail: nameArgument.templateSpans.at(-1)?.literal.text ?? '',
      isComplete: false,
    };
  if (ts.isParenthesizedExpression(nameArgument)) return findKnownParts(nameArgument.expression, sourceFile);
  if (ts.isBinaryExpression(nameArgument) && nameArgument.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [
      findKnownParts(nameArgument.left, sourceFile),
      findKnownParts(nameArgument.right, sourceFile),
    ];
    return {
      head: left.isComplete ? left.head + right.head : left.head,
      tail: right.isComplete ? left.tail + right.tail : right.tail,
      isComplete: left.isComplete && right.isComplete,
    };
  }
  const value = ts.isIdentifier(nameArgument) ? findConstant(nameArgument.text, sourceFile) : null;
  return value === null ? UNKNOWN_PARTS : { head: value, tail: value, isComplete: true };
}

/** Finds the text of the only declaration of this name, if it is a constant; otherwise null. */
function findConstant(name: string, sourceFile: ts.SourceFile): string | null {
  const [declaration, ...otherDeclarations] = collectDescendants(sourceFile).filter(
    (node) =>
      (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) &&
      ts.isIdentifier(node.name) &&
      node.name.text === name,
  );
  if (!declaration || otherDeclarations.length > 0 || !ts.isVariableDeclaration(declaration)) return null;
  const { initializer, parent } = declaration;
  const isConstant = (parent.flags & ts.NodeFlags.Const) !== 0;
  return isConstant && initializer && ts.isStringLiteralLike(initializer) ? initializer.text : null;
}

/** Creates a function that decides whether a file may be loaded from `loadingPath` by a name with these known parts. */
function createPathFilter(loadingPath: string, { head, tail, isComplete }: KnownParts): (path: string) => boolean {
  // A name that ends with `.json` or `.vue` leads to no script, but `.controller` leads to `user.controller.ts`.
  const extension = /\.[a-z]+$/i.exec(tail)?.[0] ?? '';
  const hasPossibleExtension = (path: string) =>
    SCRIPT_EXTENSION_PATTERN.test(extension) || normaliseModulePath(path).endsWith(extension);
  // A name that is not relative may be an alias, which may lead anywhere.
  if (!/^\.\.?(?:\/|$)/.test(head)) return (path) => !head.startsWith('node:') && hasPossibleExtension(path);
  const folder = posix.dirname(loadingPath);
  if (isComplete) {
    const target = normaliseModulePath(posix.join(folder, head));
    return (path) => normaliseModulePath(path) === target;
  }
  // A relative name that is put together from parts is assumed to stay in the folder of its known beginning.
  const knownFolder = /(?:^|\/)\.\.$/.test(head) ? `${head}/` : head.slice(0, head.lastIndexOf('/') + 1);
  const parentFolder = posix.join(folder, knownFolder, '/').replace(/^\.\//, '');
  return (path) => path.startsWith(parentFolder) && hasPossibleExtension(path);
}
