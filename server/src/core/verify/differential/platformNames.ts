// Finds the names of the platform that compared code uses. A machine has one path separator and one line end, so a
// comparison on it does not show what the code does on another one.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { listVariableNames, parseModuleOutline, type ModuleOutline } from './declarations.ts';
import { listBoundNames } from '../../syntax/names.ts';

/** A module, or one of its members, under a local name. `member` is null for the module itself. */
interface ImportedName {
  readonly module: string;
  readonly member: string | null;
}

/** Matches an import in the printed form of an outline, such as `sep of 'node:path'`. */
const IMPORT_PATTERN = /^([\w$]+) of ['"]([^'"]+)['"]$/;
const PLATFORM_PATTERN = /^(?:node:)?(path|os|process)$/;
/** Names of the global object, whose members may be used without it. */
const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(['globalThis', 'global', 'window', 'self']);
/** Objects of the platform that need no import. */
const GLOBALS: ReadonlyMap<string, ImportedName> = new Map(
  ['process', 'navigator'].map((module) => [module, { module, member: null }]),
);
/** Names whose values differ between platforms. */
const VALUES: ReadonlySet<string> = new Set([
  ...['process.platform', 'process.arch', 'path.sep', 'path.delimiter', 'navigator.platform', 'navigator.userAgent'],
  ...['os.EOL', 'os.platform', 'os.type', 'os.arch', 'os.endianness', 'os.release', 'os.version', 'os.machine'],
]);
/** Matches methods that use the language of the process, which a comparison cannot set. */
const PROCESS_LANGUAGE = /^toLocale(?:Lower|Upper)Case$/;
/** Matches members of platform modules that are the same on all platforms. */
const SAME_EVERYWHERE = /^path\.posix$|^process\.(?:nextTick|hrtime|uptime|on|once|off|emit|emitWarning|std\w+)$/;
/** Maximum number of modules of the repository that are followed on each side. */
const MAX_MODULES = 50;
/** Matches `export * from './a'`. */
const EXPORTS_ALL = /^export \* from ['"](\.{1,2}\/[^'"]*)['"]/;
const EXTENSIONS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '/index.ts', '/index.js'];

/** The two versions of a file. */
export interface TouchedModule {
  readonly path: string;
  readonly old: ModuleOutline;
  readonly now: ModuleOutline;
  /** The declarations that the change touches. */
  readonly names: ReadonlySet<string>;
  /** The declarations that are called on both sides. */
  readonly targets: ReadonlySet<string>;
}

/**
 * The sorted names of the platform on which the touched code depends. These are values, such as `path.sep`, that it
 * reads itself or through other code; and any other names, such as `path.join` or `process.env`, that a declaration
 * uses on one side only. `edits`: the whole change.
 */
export function findPlatformNames(
  { path, old, now, names, targets }: TouchedModule,
  edits: readonly FileEdit[],
  tree: SourceTree,
): readonly string[] {
  const usesBefore = createUseCollector(tree, new Map(edits.map((edit) => [edit.path, edit.before])));
  const usesAfter = createUseCollector(tree, new Map(edits.map((edit) => [edit.path, edit.after])));
  const platformUses = new Set<string>();
  for (const name of names)
    for (const use of [...usesBefore(path, old, name), ...usesAfter(path, now, name)])
      if (VALUES.has(use)) platformUses.add(use);
  for (const name of new Set([...targets, ...[...names].filter(isLastingValue)])) {
    const [before, after] = [usesBefore(path, old, name), usesAfter(path, now, name)];
    for (const use of [...before, ...after]) if (!before.has(use) || !after.has(use)) platformUses.add(use);
  }
  return [...platformUses].sort();

  /**
   * True if both sides declare the name, and it is not a function on both. Functions are compared themselves or through
   * their callers.
   */
  function isLastingValue(name: string): boolean {
    const [before, after] = [old, now].map(({ declarations }) => declarations.get(name)?.kind);
    return before !== undefined && after !== undefined && !(before === 'function' && after === 'function');
  }
}

/** Collects the names of the platform on which a declaration and all code that it uses depend. */
type UseCollector = (path: string, outline: ModuleOutline, name: string) => Set<string>;

/**
 * Creates a collector for one side. `texts`: the texts of the edited files on this side; null for a file that does not
 * exist.
 */
function createUseCollector(tree: SourceTree, texts: ReadonlyMap<string, string | null>): UseCollector {
  const modules = new Map<string, ModuleOutline | null>();
  const importsByOutline = new Map<ModuleOutline, ReadonlyMap<string, ImportedName>>();
  return (path, outline, name) => {
    const uses = new Set<string>();
    collectReached({ path, outline, uses, visited: new Set() }, name);
    return uses;
  };

  function collectReached(reachedFrom: ReachedModule, name: string): void {
    const { path, outline, uses, visited } = reachedFrom;
    const key = `${path} ${name}`;
    const declaration = outline.declarations.get(name);
    if (visited.has(key) || !declaration) return;
    visited.add(key);
    const imports = importsByOutline.get(outline) ?? collectImports(outline);
    importsByOutline.set(outline, imports);
    const importedName = imports.get(name);
    const usedImports = importedName ? [importedName] : listUses(declaration.node, imports);
    for (const { module, member } of usedImports)
      if (module.startsWith('.')) collectFromModule(reachedFrom, module, member?.startsWith('env.') ? 'env' : member);
      else if (!importedName && !SAME_EVERYWHERE.test(`${module}.${member}`)) uses.add(`${module}.${member ?? '*'}`);
    for (const method of importedName ? [] : listMethodsByLanguage(declaration.node)) uses.add(method);
    for (const reference of declaration.references) if (!imports.has(reference)) collectReached(reachedFrom, reference);
  }

  function collectFromModule(reachedFrom: ReachedModule, module: string, member: string | null): void {
    const path = posix.join(posix.dirname(reachedFrom.path), module);
    const key = `${path} of ${member}`;
    const outline = loadOutline(path);
    if (reachedFrom.visited.has(key) || !outline) return;
    reachedFrom.visited.add(key);
    const nextModule = { ...reachedFrom, path, outline };
    const exports = [...outline.declarations.values()].filter(({ exportedAs }) => exportedAs !== null);
    const matchingExports = exports.filter(({ exportedAs }) => member === null || exportedAs === member);
    // For example `module.exports = { a }`.
    const defaultExport =
      matchingExports.length > 0 ? undefined : exports.find(({ exportedAs }) => exportedAs === 'default');
    const hasMember = member !== null && defaultExport?.references.has(member) && outline.declarations.has(member);
    for (const { name } of matchingExports) collectReached(nextModule, name);
    if (hasMember) collectReached(nextModule, member);
    else if (defaultExport) collectReached(nextModule, defaultExport.name);
    if (matchingExports.length > 0 && member !== null) return;
    for (const statement of outline.looseStatements) {
      const [, from] = EXPORTS_ALL.exec(statement) ?? [];
      if (from !== undefined) collectFromModule(nextModule, from, member);
    }
  }

  function loadOutline(path: string): ModuleOutline | null {
    const cachedOutline = modules.get(path);
    if (cachedOutline !== undefined) return cachedOutline;
    const text = modules.size < MAX_MODULES ? readModule(path, tree, texts) : null;
    const outline =
      text === null
        ? null
        : parseModuleOutline(ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
    modules.set(path, outline);
    return outline;
  }
}

/** The module that a search has reached, and the results so far. */
interface ReachedModule {
  readonly path: string;
  readonly outline: ModuleOutline;
  readonly uses: Set<string>;
  readonly visited: Set<string>;
}

/** Maps local names to modules of the platform or the repository, or to their members. */
function collectImports({ declarations }: ModuleOutline): ReadonlyMap<string, ImportedName> {
  const imports = new Map(GLOBALS);
  for (const { name, kind, node, printedCode } of declarations.values()) {
    if (kind !== 'import') {
      const resolveBound = ts.isVariableDeclaration(node) ? createImportResolver(node) : null;
      if (resolveBound) imports.set(name, resolveBound(name));
      // `const process = globalThis.process` still means the process of the platform.
      else if (!(ts.isVariableDeclaration(node) && node.initializer?.getText().includes(name))) imports.delete(name);
      continue;
    }
    const [, member = '', specifier = ''] = IMPORT_PATTERN.exec(printedCode) ?? [];
    const module = classifyModule(specifier);
    const isWhole = member === 'all' || (member === 'default' && module !== null && !module.startsWith('.'));
    if (module !== null) imports.set(name, { module, member: isWhole ? null : member });
  }
  return imports;
}

/** The name of the platform module, or the relative specifier of a module of the repository; null for a package. */
function classifyModule(specifier: string): string | null {
  return PLATFORM_PATTERN.exec(specifier)?.[1] ?? (/^\.{1,2}(?:\/|$)/.test(specifier) ? specifier : null);
}

/**
 * Returns a function that maps a bound name to its meaning, for declarations such as `const a = require('m')` and
 * `const { a } = await import('m')`; null for any other declaration.
 */
function createImportResolver({ name, initializer }: ts.VariableDeclaration): ((bound: string) => ImportedName) | null {
  const call = initializer && removeAwait(initializer);
  const access = call && ts.isPropertyAccessExpression(call) ? call : null;
  const module = call && findLoadedModule(access ? removeAwait(access.expression) : call);
  if (!module || (access && !ts.isIdentifier(name))) return null;
  const member = access?.name.text ?? null;
  return (bound) => ({ module, member: ts.isIdentifier(name) ? member : findBoundMember(name, bound) });
}

/** The module that `require('m')` or `import('m')` loads; null for any other node. */
function findLoadedModule(node: ts.Node): string | null {
  if (!ts.isCallExpression(node) || node.arguments.length !== 1) return null;
  const {
    expression,
    arguments: [specifier],
  } = node;
  const isLoadCall =
    expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(expression) && expression.text === 'require');
  return isLoadCall && ts.isStringLiteralLike(specifier!) ? classifyModule(specifier.text) : null;
}

function removeAwait(node: ts.Expression): ts.Expression {
  return ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node) ? removeAwait(node.expression) : node;
}

/** The member that a pattern binds to this name; null if the pattern does not bind it. */
function findBoundMember(pattern: ts.BindingPattern, name: string): string | null {
  for (const element of pattern.elements)
    if (ts.isBindingElement(element) && element.name.getText() === name)
      return (element.propertyName ?? element.name).getText();
  return null;
}

/** Each use of an imported name in the code, such as the member `join` of `path`. */
function listUses(node: ts.Node, imports: ReadonlyMap<string, ImportedName>): readonly ImportedName[] {
  const knownNames = new Map(imports);
  const uses: ImportedName[] = [];
  const visit = (child: ts.Node): void => {
    const resolveBound = ts.isVariableDeclaration(child) ? createImportResolver(child) : null;
    if (resolveBound)
      for (const name of listBoundNames((child as ts.VariableDeclaration).name))
        knownNames.set(name, resolveBound(name));
    const module = resolveBound ? null : findLoadedModule(child);
    if (module !== null) uses.push(...listReadMembers(expandToAwait(child)).map((member) => ({ module, member })));
    if (!resolveBound) ts.forEachChild(child, visit);
  };
  visit(node);
  for (const identifier of listVariableNames(node)) {
    const owner = GLOBAL_OBJECTS.has(identifier.text) ? readMemberName(identifier.parent) : null;
    const importedName = owner === null ? knownNames.get(identifier.text) : GLOBALS.get(owner);
    if (!importedName || isBeingBound(identifier)) continue;
    const { module, member } = importedName;
    const members = member === null ? listReadMembers(owner === null ? identifier : identifier.parent) : [member];
    for (const usedMember of members) uses.push({ module, member: usedMember });
  }
  return uses;
}

/** The methods that use the language of the process. */
function listMethodsByLanguage(node: ts.Node): readonly string[] {
  const methods: string[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isPropertyAccessExpression(child) && PROCESS_LANGUAGE.test(child.name.text) && hasNoArgument(child))
      methods.push(child.name.text);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return methods;
}

/** The outermost `await` or parentheses around the expression; otherwise the expression itself. */
function expandToAwait(node: ts.Node): ts.Node {
  const { parent } = node;
  return ts.isAwaitExpression(parent) || ts.isParenthesizedExpression(parent) ? expandToAwait(parent) : node;
}

/** True for the names that `const a = …` and `const { a } = …` declare. */
function isBeingBound(name: ts.Identifier): boolean {
  return (ts.isVariableDeclaration(name.parent) || ts.isBindingElement(name.parent)) && name.parent.name === name;
}

function hasNoArgument({ parent }: ts.PropertyAccessExpression): boolean {
  return !ts.isCallExpression(parent) || parent.arguments.length === 0;
}

/**
 * The members that are read from a module: `a` of `m.a`, `m['a']` and `const { a } = m`, and `env.A` of
 * `process.env.A`. A null stands for a use of the whole module.
 */
function listReadMembers({ parent }: ts.Node): readonly (string | null)[] {
  if (ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name))
    return parent.name.elements.map(({ propertyName, name }) => (propertyName ?? name).getText());
  const member = readMemberName(parent);
  const variable = member === 'env' ? readMemberName(parent.parent) : null;
  return [variable === null ? member : `env.${variable}`];
}

/** The name of the member that an expression reads; null if it reads none by name. */
function readMemberName(node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)
    ? node.argumentExpression.text
    : null;
}

/** The text of a module of the repository, with or without a usual extension in its path; null if there is none. */
function readModule(path: string, tree: SourceTree, texts: ReadonlyMap<string, string | null>): string | null {
  const root = tree.rootDir.replaceAll('\\', '/');
  const withoutScript = path.replace(/\.([cm]?)jsx?$/, '.$1ts');
  for (const candidate of [...EXTENSIONS.map((extension) => `${path}${extension}`), withoutScript]) {
    if (!SCRIPT_PATTERN.test(candidate)) continue;
    const editedText = texts.get(candidate);
    const text = editedText === undefined ? tree.read(posix.join(root, candidate)) : (editedText ?? undefined);
    if (text !== undefined) return text;
  }
  return null;
}
