// What a module offers to others, and whether it says what it is for.

import { ts } from 'ts-morph';

export interface ExportedDeclaration {
  readonly name: string;
  readonly nameNode: ts.Node;
  readonly statement: ts.Statement;
  readonly kind: 'function' | 'class' | 'interface' | 'type' | 'enum' | 'constant function';
  /** `vacuous`: there is a doc comment, but it only repeats the name. */
  readonly doc: 'none' | 'vacuous' | 'documented';
}

/** Top-level functions, classes, types and constants that hold a function; overloads count as one. `@internal` ones are left out. */
export function exportedDeclarationsOf(sourceFile: ts.SourceFile): readonly ExportedDeclaration[] {
  const listed = namesInExportLists(sourceFile);
  const found = new Map<string, ExportedDeclaration>();
  for (const statement of sourceFile.statements) {
    const declared = declaredBy(statement);
    if (!declared) continue;
    const exported = hasModifier(statement, ts.SyntaxKind.ExportKeyword) || listed.has(declared.name);
    if (!exported) continue;
    const comment = docCommentOf(statement, sourceFile);
    if (comment?.includes('@internal')) continue;
    const doc = comment === null ? 'none' : saysSomething(comment, declared.name) ? 'documented' : 'vacuous';
    const earlier = found.get(declared.name);
    if (!earlier || rank(doc) > rank(earlier.doc)) found.set(declared.name, { ...declared, statement, doc });
  }
  return [...found.values()];
}

/**
 * How many names a module offers, and how many of them are documented in words of their own. Functions that are offered as
 * members of an exported object count like exports; a sentence that stands on several of them documents one.
 */
export function apiOf(sourceFile: ts.SourceFile, exported: readonly ExportedDeclaration[]): { readonly exported: number; readonly documented: number } {
  const offered = new Map<string, string | null>();
  for (const { name, statement, doc } of exported) offered.set(name, doc === 'documented' ? docCommentOf(statement, sourceFile) : null);
  for (const [name, doc] of membersOffered(sourceFile)) if (!offered.has(name)) offered.set(name, doc !== null && saysSomething(doc, name) ? doc : null);
  const docs = [...offered.values()].filter((doc) => doc !== null).map((doc) => doc.replace(/[\s*/]+/g, ' '));
  return { exported: offered.size, documented: new Set(docs).size };
}

/** Functions among the members of exported object literals, with their doc comments. */
function membersOffered(sourceFile: ts.SourceFile): (readonly [string, string | null])[] {
  const own = new Map(sourceFile.statements.flatMap((statement) => (ts.isFunctionDeclaration(statement) && statement.name ? [[statement.name.text, statement] as const] : [])));
  const found: (readonly [string, string | null])[] = [];
  for (const statement of sourceFile.statements) {
    if (!ts.isVariableStatement(statement) || !hasModifier(statement, ts.SyntaxKind.ExportKeyword)) continue;
    for (const { initializer } of statement.declarationList.declarations) {
      if (!initializer || !ts.isObjectLiteralExpression(initializer)) continue;
      for (const member of initializer.properties) {
        if (!member.name || !ts.isIdentifier(member.name)) continue;
        const value = ts.isShorthandPropertyAssignment(member) ? member.name : ts.isPropertyAssignment(member) ? member.initializer : null;
        const target = value && ts.isIdentifier(value) ? own.get(value.text) : undefined;
        const written = value === null ? !ts.isSpreadAssignment(member) : ts.isArrowFunction(value) || ts.isFunctionExpression(value);
        if (target || written) found.push([target?.name?.text ?? member.name.text, docOf(member, sourceFile) ?? (target ? docOf(target, sourceFile) : null)]);
      }
    }
  }
  return found;
}

/** Text of the doc comment that belongs to a statement, with its marks, or null. */
export function docCommentOf(statement: ts.Statement, sourceFile: ts.SourceFile): string | null {
  return docOf(statement, sourceFile);
}

function docOf(node: ts.Node, sourceFile: ts.SourceFile): string | null {
  const place = docPlaceOf(node, sourceFile);
  return place && sourceFile.text.slice(place.pos, place.end);
}

/** Where the doc comment of a declaration or member stands, told by the text: the parser need not have read it. */
export function docPlaceOf(node: ts.Node, { text }: ts.SourceFile): ts.TextRange | null {
  return ts.getLeadingCommentRanges(text, node.pos)?.findLast(({ pos }) => text.startsWith('/**', pos) && text[pos + 3] !== '/') ?? null;
}

/** False for a doc comment that holds no word beyond the name, tags, types and filler. */
export function saysSomething(comment: string, name: string): boolean {
  const parameters = [...comment.matchAll(/@param\s+(?:\{[^}]*\}\s*)?\[?([\w$]+)/g)].flatMap(([, parameter]) => wordsOf(parameter!));
  const known = new Set([...wordsOf(name), ...parameters]);
  const prose = comment
    .replace(/@param\s+(\{[^}]*\}\s*)?\[?[\w$.]+/g, ' ')
    .replace(/\{@\w+\s+([^}]*)\}/g, ' $1 ')
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/@\w+/g, ' ');
  return wordsOf(prose).some((word) => !known.has(word) && !FILLER.has(word));
}

const FILLER = new Set(
  'a an and any are array as at be bool boolean by class component const constant data doc docs enum fixme for from function get getter given handle hack helper in instance interface is it its me method module new null number object of on or param parameter promise props put return set setter string that the thing this to todo tbd true false type undefined unknown use util value variable via void which with xxx'.split(' ').map(stem),
);

function wordsOf(text: string): string[] {
  const split = text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return (split.match(/\p{L}+/gu) ?? []).map((word) => stem(word.toLowerCase()));
}

/** Rough English stem: enough to see that `Parses dates` says no more than `parseDate`. */
function stem(word: string): string {
  return word.replace(/(ing|ies|ed|es|s|er|or|e|y)$/, '') || word;
}

function rank(doc: ExportedDeclaration['doc']): number {
  return doc === 'documented' ? 2 : doc === 'vacuous' ? 1 : 0;
}

function declaredBy(statement: ts.Statement): Pick<ExportedDeclaration, 'name' | 'nameNode' | 'kind'> | null {
  if (ts.isFunctionDeclaration(statement)) return named(statement, 'function');
  if (ts.isClassDeclaration(statement)) return named(statement, 'class');
  if (ts.isInterfaceDeclaration(statement)) return named(statement, 'interface');
  if (ts.isTypeAliasDeclaration(statement)) return named(statement, 'type');
  if (ts.isEnumDeclaration(statement)) return named(statement, 'enum');
  if (!ts.isVariableStatement(statement)) return null;
  const declaration = statement.declarationList.declarations.find(({ initializer }) => initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)));
  return declaration && ts.isIdentifier(declaration.name) ? { name: declaration.name.text, nameNode: declaration.name, kind: 'constant function' } : null;
}

function named(statement: ts.FunctionDeclaration | ts.ClassDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.EnumDeclaration, kind: ExportedDeclaration['kind']): Pick<ExportedDeclaration, 'name' | 'nameNode' | 'kind'> {
  const nameNode = statement.name ?? statement.modifiers?.find((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword) ?? statement;
  return { name: statement.name?.text ?? 'default', nameNode, kind };
}

function namesInExportLists(sourceFile: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of sourceFile.statements) {
    if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression)) names.add(statement.expression.text);
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier || !statement.exportClause || !ts.isNamedExports(statement.exportClause)) continue;
    for (const element of statement.exportClause.elements) names.add((element.propertyName ?? element.name).text);
  }
  return names;
}

function hasModifier(node: ts.Statement, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (node.modifiers?.some((modifier) => modifier.kind === kind) ?? false);
}
