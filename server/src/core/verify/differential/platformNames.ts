// Finds what compared code takes from its platform: one machine has one separator of paths and one end of lines, so no
// comparison there shows what the code does on another.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { SourceTree } from '../../ports/sources.ts';
import { listVariableNames, parseModuleOutline, type Declaration, type ModuleOutline } from './declarations.ts';

/** A module of the platform, or one of its members, under a local name. `member` null: the module itself. */
interface PlatformImport {
  readonly module: string;
  readonly member: string | null;
}

/** Matches an import as an outline prints it, such as `sep of 'node:path'`. */
const IMPORT_PATTERN = /^([\w$]+) of ['"](?:node:)?(path|os|process)['"]$/;
const REQUIRED_PATTERN = /^require\(['"](?:node:)?(path|os|process)['"]\)(?:\.(\w+))?$/;
const RELATIVE_IMPORT_PATTERN = /^([\w$]+) of ['"](\.{1,2}\/[^'"]*)['"]$/;
/** Names that differ between platforms, wherever the code reads them. */
const VALUES: ReadonlySet<string> = new Set([
  ...['process.platform', 'process.arch', 'path.sep', 'path.delimiter', 'navigator.platform', 'navigator.userAgent'],
  ...['os.EOL', 'os.platform', 'os.type', 'os.arch', 'os.endianness', 'os.release', 'os.version', 'os.machine'],
]);
/** Methods that follow the language of the whole process, which cannot be set for a comparison. */
const PROCESS_LANGUAGE = /^toLocale(?:Lower|Upper)Case$/;
/** Those that are the same on all platforms. */
const SAME_EVERYWHERE = /^path\.posix$|^process\.(?:nextTick|hrtime|uptime|on|once|off|emit|emitWarning|std\w+)$/;
/** Maximum number of modules of the repository that are followed. */
const MAX_MODULES = 20;
const EXTENSIONS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '/index.ts', '/index.js'];

/** The two versions of a file, and the names of its declarations that the change touches. */
export interface TouchedModule {
  readonly path: string;
  readonly old: ModuleOutline;
  readonly now: ModuleOutline;
  readonly names: ReadonlySet<string>;
}

/**
 * What the touched code takes from the platform, as `path.sep`, sorted: values that it or code that it uses reads, and
 * anything else, such as `path.join` or `process.env`, that one side uses more often than the other.
 */
export function findPlatformNames({ path, old, now, names }: TouchedModule, tree: SourceTree): readonly string[] {
  const found = new Set<string>();
  const [oldUses, newUses] = [old, now].map((outline) => countUses(outline, names));
  for (const name of new Set([...oldUses!.keys(), ...newUses!.keys()]))
    if (oldUses!.get(name) !== newUses!.get(name)) found.add(name);
  const modules = new Map<string, ModuleOutline | null>();
  for (const outline of [old, now]) {
    const visited = new Set<string>();
    for (const name of names) collectReached(path, outline, name, visited);
  }
  return [...found].sort();

  function collectReached(file: string, outline: ModuleOutline, name: string, visited: Set<string>): void {
    const key = `${file} ${name}`;
    if (visited.has(key)) return;
    visited.add(key);
    const declaration = outline.declarations.get(name);
    if (!declaration) return;
    for (const use of usesIn(declaration, importsOf(outline))) if (VALUES.has(use)) found.add(use);
    for (const reference of declaration.references) collectReached(file, outline, reference, visited);
    const [, importedName, from] =
      declaration.kind === 'import' ? (RELATIVE_IMPORT_PATTERN.exec(declaration.print) ?? []) : [];
    if (importedName === undefined || from === undefined) return;
    const target = posix.join(posix.dirname(file), from);
    const outlineThere = outlineOf(target);
    if (!outlineThere) return;
    for (const { name: nameThere, exportedAs } of outlineThere.declarations.values())
      if (importedName === 'all' || exportedAs === importedName)
        collectReached(target, outlineThere, nameThere, visited);
  }

  function outlineOf(path: string): ModuleOutline | null {
    const known = modules.get(path);
    if (known !== undefined) return known;
    const text = modules.size < MAX_MODULES ? readModule(path, tree) : null;
    const outline =
      text === null
        ? null
        : parseModuleOutline(ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
    modules.set(path, outline);
    return outline;
  }
}

/** How often the declarations use each name of the platform. */
function countUses(outline: ModuleOutline, names: ReadonlySet<string>): ReadonlyMap<string, number> {
  const imports = importsOf(outline);
  const counts = new Map<string, number>();
  const nodes = new Set([...names].flatMap((name) => outline.declarations.get(name) ?? []));
  // The object and its members are declarations of their own.
  for (const declaration of nodes)
    if (![...nodes].some(({ name }) => declaration.name.startsWith(`${name}.`)))
      for (const use of usesIn(declaration, imports)) counts.set(use, (counts.get(use) ?? 0) + 1);
  return counts;
}

/** The local names of the modules of the platform and of their members. */
function importsOf({ declarations }: ModuleOutline): ReadonlyMap<string, PlatformImport> {
  const imports = new Map<string, PlatformImport>([
    ['process', { module: 'process', member: null }],
    ['navigator', { module: 'navigator', member: null }],
  ]);
  for (const { name, kind, node, print } of declarations.values()) {
    if (kind === 'import') {
      const [, imported, module] = IMPORT_PATTERN.exec(print) ?? [];
      if (imported !== undefined && module !== undefined)
        imports.set(name, { module, member: imported === 'default' || imported === 'all' ? null : imported });
    } else if (ts.isVariableDeclaration(node) && node.initializer) {
      const [, module, member = null] = REQUIRED_PATTERN.exec(node.initializer.getText()) ?? [];
      if (module === undefined) continue;
      imports.set(name, { module, member: ts.isIdentifier(node.name) ? member : boundMember(node.name, name) });
    }
  }
  return imports;
}

/** The member that a pattern binds to this name. */
function boundMember(pattern: ts.BindingPattern, name: string): string | null {
  for (const element of pattern.elements)
    if (ts.isBindingElement(element) && element.name.getText() === name)
      return (element.propertyName ?? element.name).getText();
  return null;
}

/** Each use of the platform in a declaration, as `path.join`. */
function usesIn({ node, kind }: Declaration, imports: ReadonlyMap<string, PlatformImport>): readonly string[] {
  if (kind === 'import' || isRequire(node)) return [];
  const uses: string[] = [];
  for (const identifier of listVariableNames(node)) {
    const imported = imports.get(identifier.text);
    if (!imported) continue;
    const { module, member } = imported;
    for (const used of member === null ? membersUsed(identifier) : [member]) uses.push(`${module}.${used}`);
  }
  const visit = (child: ts.Node): void => {
    if (ts.isPropertyAccessExpression(child) && PROCESS_LANGUAGE.test(child.name.text) && hasNoArgument(child))
      uses.push(child.name.text);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return uses.filter((use) => !SAME_EVERYWHERE.test(use));
}

function isRequire(node: ts.Node): boolean {
  return ts.isVariableDeclaration(node) && REQUIRED_PATTERN.test(node.initializer?.getText() ?? '');
}

function hasNoArgument({ parent }: ts.PropertyAccessExpression): boolean {
  return !ts.isCallExpression(parent) || parent.arguments.length === 0;
}

/**
 * The members that are read where the module is named: `a` of `m.a`, `m['a']` and `const { a } = m`, `env.A` of
 * `process.env.A`; otherwise `*`.
 */
function membersUsed({ parent }: ts.Identifier): readonly string[] {
  if (ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name))
    return parent.name.elements.map(({ propertyName, name }) => (propertyName ?? name).getText());
  const member = memberRead(parent);
  const variable = member === 'env' ? memberRead(parent.parent) : null;
  return [variable === null ? (member ?? '*') : `env.${variable}`];
}

/** The member that an expression reads; null if it reads none by name. */
function memberRead(node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)
    ? node.argumentExpression.text
    : null;
}

/** The text of a module of the repository, by its path without or with a usual extension; null if there is none. */
function readModule(path: string, tree: SourceTree): string | null {
  const root = tree.rootDir.replaceAll('\\', '/');
  const withoutScript = path.replace(/\.([cm]?)jsx?$/, '.$1ts');
  for (const candidate of [...EXTENSIONS.map((extension) => `${path}${extension}`), withoutScript]) {
    const text = /\.[cm]?[jt]sx?$/.test(candidate) ? tree.read(posix.join(root, candidate)) : undefined;
    if (text !== undefined) return text;
  }
  return null;
}
