// The exports of one TypeScript or JavaScript file: names, kinds and places, each name once.

import { ts } from 'ts-morph';
import { rangeOf, type LineStarts } from '../lines.ts';
import { isNamedGraphqlDocument } from '../script/graphqlDocument.ts';
import type { ExportFact, ExportKind, ExportPlace } from './facts.ts';

export interface FoundExport extends Omit<ExportFact, 'usedHere' | 'local'> {
  /** What the file calls it. */
  readonly local: string;
  /** Offsets of the declaration: reads inside do not count as use. */
  readonly span: readonly [start: number, end: number];
}

/** In the order of the text. Overloads and merged declarations are one export, at the first place. */
export function exportsOf(sourceFile: ts.SourceFile, lines: LineStarts): FoundExport[] {
  const wrapped = wrappedByDefault(sourceFile);
  const found = new Map<string, FoundExport>();
  const declarations = declarationsIn(sourceFile);
  const add = (
    name: string,
    local: string,
    kind: ExportKind,
    nameNode: ts.Node,
    node: ts.Node,
    more: Pick<FoundExport, 'from' | 'source' | 'types'> = {},
  ): void => {
    const key = name === '*' ? `* ${more.from}` : name;
    if (found.has(key)) return;
    const start = node.getStart(sourceFile);
    found.set(key, {
      name,
      local,
      kind,
      ...more,
      at: placeOf(nameNode.getStart(sourceFile), start, node.end),
      span: [start, node.end],
      ...(isOffered(node, sourceFile) || namesTypeOfValue(node) || (name !== 'default' && wrapped === local)
        ? { offered: true as const }
        : {}),
    });
  };
  const placeOf = (name: number, start: number, end: number): ExportPlace => {
    const { startLine, startColumn } = rangeOf(lines, name, name);
    const whole = rangeOf(lines, start, end);
    return [startLine, startColumn, whole.startLine, whole.endLine];
  };
  for (const statement of sourceFile.statements) {
    if (ts.isExportDeclaration(statement)) {
      const from =
        statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier)
          ? statement.moduleSpecifier.text
          : undefined;
      const types = statement.isTypeOnly ? { types: true as const } : {};
      const clause = statement.exportClause;
      if (!clause) {
        if (from !== undefined) add('*', '*', 'namespace', statement, statement, { from, source: '*', ...types });
      } else if (ts.isNamespaceExport(clause)) {
        if (from !== undefined)
          add(clause.name.text, clause.name.text, 'namespace', clause.name, statement, { from, source: '*', ...types });
      } else {
        for (const element of clause.elements) {
          const local = (element.propertyName ?? element.name).text;
          const own = from === undefined ? declarations.get(local) : undefined;
          const elementTypes = element.isTypeOnly ? { types: true as const } : types;
          if (own) add(element.name.text, local, own.kind, own.nameNode, own.node);
          else
            add(
              element.name.text,
              local,
              'variable',
              element.name,
              element,
              from === undefined ? elementTypes : { from, source: local, ...elementTypes },
            );
        }
      }
    } else if (ts.isExportAssignment(statement)) {
      if (statement.isExportEquals) continue;
      const named = ts.isIdentifier(statement.expression) ? statement.expression.text : undefined;
      const own = named === undefined ? undefined : declarations.get(named);
      add(
        'default',
        named ?? 'default',
        own?.kind ?? 'variable',
        named === undefined ? statement.getChildAt(0, sourceFile) : statement.expression,
        statement,
      );
    } else if (hasExport(statement)) {
      for (const { name, nameNode, node, kind } of declaredBy(statement)) {
        const isDefault =
          ts.canHaveModifiers(statement) &&
          statement.modifiers?.some(({ kind: modifier }) => modifier === ts.SyntaxKind.DefaultKeyword) === true;
        add(isDefault ? 'default' : name, name, kind, nameNode, node);
      }
    }
  }
  return [...found.values()];
}

interface Declared {
  readonly name: string;
  readonly nameNode: ts.Node;
  readonly node: ts.Node;
  readonly kind: ExportKind;
}

function declarationsIn(sourceFile: ts.SourceFile): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared>();
  for (const statement of sourceFile.statements)
    for (const declared of declaredBy(statement)) if (!found.has(declared.name)) found.set(declared.name, declared);
  return found;
}

const KINDS: ReadonlyMap<ts.SyntaxKind, ExportKind> = new Map([
  [ts.SyntaxKind.FunctionDeclaration, 'function'],
  [ts.SyntaxKind.ClassDeclaration, 'class'],
  [ts.SyntaxKind.InterfaceDeclaration, 'interface'],
  [ts.SyntaxKind.TypeAliasDeclaration, 'type'],
  [ts.SyntaxKind.EnumDeclaration, 'enum'],
  [ts.SyntaxKind.ModuleDeclaration, 'namespace'],
  [ts.SyntaxKind.ImportEqualsDeclaration, 'variable'],
]);

function declaredBy(statement: ts.Statement): Declared[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap((declaration) => {
      const { initializer } = declaration;
      const kind =
        initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
          ? 'function'
          : initializer && ts.isClassExpression(initializer)
            ? 'class'
            : 'variable';
      const node = statement.declarationList.declarations.length === 1 ? statement : declaration;
      return boundNames(declaration.name).map((nameNode) => ({ name: nameNode.text, nameNode, node, kind }) as const);
    });
  }
  const kind = KINDS.get(statement.kind);
  if (kind === undefined) return [];
  const { name } = statement as ts.DeclarationStatement;
  // `export default function () {}` has no name of its own.
  return name && !ts.isIdentifier(name)
    ? []
    : [{ name: name?.text ?? 'default', nameNode: name ?? statement.getChildAt(0), node: statement, kind }];
}

function boundNames(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : boundNames(element.name)));
}

function hasExport(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

/**
 * `export type Order = z.infer<typeof OrderSchema>`: the type goes with the value, whether somebody has asked for it
 * yet or not.
 */
function namesTypeOfValue(node: ts.Node): boolean {
  if (!ts.isTypeAliasDeclaration(node)) return false;
  let { type } = node;
  // `(typeof UNITS)[number]`, `keyof typeof UNITS`
  while (ts.isIndexedAccessTypeNode(type) || ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type))
    type = ts.isIndexedAccessTypeNode(type) ? type.objectType : type.type;
  return (
    ts.isTypeQueryNode(type) || (ts.isTypeReferenceNode(type) && type.typeArguments?.some(ts.isTypeQueryNode) === true)
  );
}

/**
 * Tags by which API extractors and their readers know what is for others (TSDoc; `@api` of older projects), that
 * somebody still does (`@deprecated`), or words on why it is exported.
 */
function isOffered(node: ts.Node, sourceFile: ts.SourceFile): boolean {
  if (
    ts.isVariableStatement(node) &&
    node.declarationList.declarations.some(
      ({ initializer }) => initializer && (enrols(initializer) || isNamedGraphqlDocument(initializer, sourceFile)),
    )
  )
    return true;
  return (
    ts
      .getLeadingCommentRanges(sourceFile.text, node.pos)
      ?.some(({ pos, end }) =>
        /@(public|publicApi|api|deprecated)\b|\bexport(s|ed)? (only )?(for|so|to|because)\b/i.test(
          sourceFile.text.slice(pos, end),
        ),
      ) ?? false
  );
}

/** `Page` of `export default connect(…)(Page)`: exported as it is beside it, so that it can be tested alone. */
function wrappedByDefault(sourceFile: ts.SourceFile): string | null {
  const made = sourceFile.statements.find(
    (statement): statement is ts.ExportAssignment =>
      ts.isExportAssignment(statement) && statement.isExportEquals !== true,
  )?.expression;
  for (let value = made; value && ts.isCallExpression(value); ) {
    const last: ts.Expression | undefined = value.arguments.at(-1);
    if (last && ts.isIdentifier(last)) return last.text;
    value = last;
  }
  return null;
}

/** `export const action = register({ … })`: somebody else has it by then, whether its name is imported or not. */
function enrols(value: ts.Expression): boolean {
  if (!ts.isCallExpression(value)) return false;
  const { expression } = value;
  const name = ts.isIdentifier(expression)
    ? expression.text
    : ts.isPropertyAccessExpression(expression)
      ? expression.name.text
      : '';
  return /^(register|enrol|install|subscribe|mount|attach)([A-Z]|$)/.test(name);
}
