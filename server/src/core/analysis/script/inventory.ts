// Lists the content of the live code of a script, piece by piece: calls, names and literals. Used to compare two
// trees.

import { createHash } from 'node:crypto';
import { ts } from 'ts-morph';
import type { CodePiece, Inventory } from '../../model.ts';
import { hasSideEffects } from '../../syntax/sideEffects.ts';
import { createPureCallTest } from '../../syntax/pureCalls.ts';
import { isLogical } from '../../syntax/controlFlow.ts';
import { isInertStatement } from '../metrics/scriptNodes.ts';
import { bindScript, resolveLocal } from './bindings.ts';
import { findDeadCode, forEachNode, findUnreachableAfter } from './deadCode.ts';
import { hasSyntaxErrors } from './parseScript.ts';
import { findCastFunctions } from './hiddenProblems.ts';
import { ReferenceCount, type UnusedDeclaration } from './unusedDeclarations.ts';
import { createWordSet } from '../../../util/wordSet.ts';

/** Methods and objects that only move values: replacing a loop by `map`, or dropping a copy, removes no content. */
const CARRIER_NAMES = createWordSet(`
  slice concat from of assign parse stringify JSON Object Array Promise all Set Map push keys values entries length
  map filter forEach flatMap includes indexOf has at then Reflect eval Function
`);

/**
 * The pieces of a script and its imports, without types, comments, layout and names of locals. Binds `sourceFile` in
 * place.
 */
export function listScriptContent(sourceFile: ts.SourceFile): Pick<Inventory, 'pieces' | 'imports'> {
  const deadNodes = collectDeadNodes(sourceFile);
  const pieces = new Map<string, { nodes: ts.Node[]; dead: boolean }>();
  for (const statement of sourceFile.statements) {
    for (const [name, node] of collectParts(statement)) {
      const piece = pieces.get(name) ?? { nodes: [], dead: true };
      piece.nodes.push(node);
      piece.dead &&= deadNodes.has(statement);
      pieces.set(name, piece);
    }
  }
  return {
    pieces: [...pieces].map(([name, piece]) => ({ name, dead: piece.dead, ...measureContent(piece.nodes, deadNodes) })),
    imports: collectImports(sourceFile, deadNodes),
  };
}

/** Names of types that are declared as `any`, and of functions that turn any value into any type. Sorted. */
export function findAnyTypes(sourceFile: ts.SourceFile): readonly string[] {
  const names: string[] = [];
  forEachNode(sourceFile, (node) => {
    if (ts.isTypeAliasDeclaration(node) && node.type.kind === ts.SyntaxKind.AnyKeyword) names.push(node.name.text);
  });
  return [...names, ...findCastFunctions(sourceFile)].sort();
}

/**
 * The names that a file imports. If all names of an import are unused, the first also has the mass of the statement
 * (2).
 */
function collectImports(sourceFile: ts.SourceFile, dead: ReadonlySet<ts.Node>): Inventory['imports'] {
  return sourceFile.statements.flatMap((statement) => {
    const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined;
    const bindings = clause?.namedBindings;
    const nodes: ts.Node[] = [
      ...(clause?.name ? [clause] : []),
      ...(!bindings ? [] : ts.isNamespaceImport(bindings) ? [bindings] : bindings.elements),
    ];
    const isEveryNameDead = nodes.length > 0 && nodes.every((node) => dead.has(node));
    const nameOf = (node: ts.Node) => ((node as ts.NamedDeclaration).name as ts.Identifier).text;
    return nodes.map((node, index) => ({
      name: nameOf(node),
      dead: dead.has(node),
      ...(isEveryNameDead && index === 0 ? { mass: 2 } : {}),
    }));
  });
}

/**
 * Top-level declarations and members of classes by name; all other top-level statements together have the name ''.
 * Imports, interfaces and type aliases are skipped.
 */
function collectParts(statement: ts.Statement): readonly (readonly [string, ts.Node])[] {
  if (ts.isImportDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return [];
  if (ts.isFunctionDeclaration(statement)) return [[statement.name?.text ?? 'default', statement]];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((declaration) => [
      ts.isIdentifier(declaration.name) ? declaration.name.text : '',
      declaration,
    ]);
  if (!ts.isClassDeclaration(statement)) return [['', statement]];
  const name = statement.name?.text ?? 'default';
  return statement.members.map((member) => [
    `${name}.${member.name && !ts.isComputedPropertyName(member.name) ? member.name.text : 'constructor'}`,
    member,
  ]);
}

/** The content of the nodes. Of a dead part inside them, only its shape and its first statement count. */
function measureContent(
  nodes: readonly ts.Node[],
  dead: ReadonlySet<ts.Node>,
): Pick<CodePiece, 'shape' | 'atoms' | 'calls' | 'mass' | 'decisions'> {
  const atoms: string[] = [];
  const calls: string[] = [];
  const shape = createHash('sha256');
  let mass = 0;
  let decisions = 0;
  for (const root of nodes) {
    const pending: ts.Node[] = [root];
    for (const part of listShapeNodes(root))
      forEachNode(part, (node) =>
        shape.update(
          `${node.kind} ${ts.isIdentifier(node) ? (findOutsideName(node) ?? '') : ts.isLiteralExpression(node) ? node.text : ''};`,
        ),
      );
    for (let node = pending.pop(); node; node = pending.pop()) {
      if ((ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) || ts.isModifier(node)) continue;
      if (node.kind >= ts.SyntaxKind.FirstStatement && node.kind <= ts.SyntaxKind.LastStatement) mass++;
      // Inside a dead piece, its whole mass is needed. In a live piece, dead statements are skipped.
      if (dead.has(node) && node !== root) continue;
      const atom = findAtom(node);
      if (atom) atoms.push(...atom);
      const called = findCallee(node);
      if (called) calls.push(called);
      if (isDecision(node)) decisions++;
      const children: ts.Node[] = [];
      ts.forEachChild(node, (child) => {
        children.push(child);
      });
      pending.push(...children.reverse());
    }
  }
  return {
    atoms: atoms.sort(),
    calls: calls.sort(),
    mass: Math.max(1, mass),
    decisions,
    shape: shape.digest('hex').slice(0, 16),
  };
}

/**
 * The nodes that show the purpose of a piece, independently of the kind of its declaration: the parameters and the body
 * of a function, otherwise the value.
 */
function listShapeNodes(root: ts.Node): readonly ts.Node[] {
  const inner = ts.isVariableDeclaration(root) || ts.isPropertyDeclaration(root) ? (root.initializer ?? root) : root;
  // Namespaces and static blocks have a body too, but no parameters.
  return ts.isFunctionLike(inner) && 'body' in inner && inner.body ? [...inner.parameters, inner.body] : [inner];
}

/** True for a node where the code branches or loops. */
function isDecision(node: ts.Node): boolean {
  switch (node.kind) {
    case ts.SyntaxKind.IfStatement:
    case ts.SyntaxKind.ForStatement:
    case ts.SyntaxKind.ForInStatement:
    case ts.SyntaxKind.ForOfStatement:
    case ts.SyntaxKind.WhileStatement:
    case ts.SyntaxKind.DoStatement:
    case ts.SyntaxKind.CatchClause:
    case ts.SyntaxKind.ConditionalExpression:
    case ts.SyntaxKind.CaseClause:
      return true;
    default:
      return (
        isLogical(node) ||
        ((ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isCallExpression(node)) &&
          node.questionDotToken !== undefined)
      );
  }
}

/** The words that would be missing without this node: words of strings, numbers, called or accessed names, keys. */
function findAtom(node: ts.Node): readonly string[] | null {
  if (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
  )
    return isDynamicCode(node) ? null : (node.text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `text ${word}`);
  if (ts.isRegularExpressionLiteral(node)) return [`text ${node.text}`];
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node))
    return node.text === '0' || node.text === '1'
      ? ts.isReturnStatement(node.parent)
        ? [`return ${node.text}`]
        : null
      : [`text ${node.text}`];
  if (ts.isPropertyAccessExpression(node)) return CARRIER_NAMES.has(node.name.text) ? null : [`name ${node.name.text}`];
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node))
    return ts.isIdentifier(node.name) ? [`key ${node.name.text}`] : null;
  if (ts.isIdentifier(node) && isUse(node)) {
    const name = findOutsideName(node);
    return name === null || CARRIER_NAMES.has(name) || name === 'undefined' ? null : [`name ${name}`];
  }
  return null;
}

/** Name of the function or class that a call runs; null for other nodes, unnamed functions and `CARRIER_NAMES`. */
function findCallee(node: ts.Node): string | null {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return null;
  const callee = node.expression;
  if (ts.isPropertyAccessExpression(callee)) return CARRIER_NAMES.has(callee.name.text) ? null : callee.name.text;
  if (!ts.isIdentifier(callee)) return null;
  const outsideName = findOutsideName(callee);
  return outsideName !== null && CARRIER_NAMES.has(outsideName) ? null : (outsideName ?? callee.text);
}

/**
 * The name by which another module or the platform knows the target of an identifier; null for a target that this file
 * declares, and for names of properties.
 */
function findOutsideName(identifier: ts.Identifier): string | null {
  const declaration = resolveLocal(identifier)?.symbol.declarations?.[0];
  if (!declaration) return isUse(identifier) ? identifier.text : null;
  if (ts.isImportSpecifier(declaration)) return (declaration.propertyName ?? declaration.name).text;
  return ts.isImportClause(declaration) || ts.isNamespaceImport(declaration) ? identifier.text : null;
}

/** False for an identifier that declares, exports or labels, or that follows a dot. */
function isUse(identifier: ts.Identifier): boolean {
  const { parent } = identifier;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === identifier;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === identifier;
  return (
    (parent as ts.NamedDeclaration).name !== identifier &&
    !ts.isBindingElement(parent) &&
    !ts.isImportSpecifier(parent) &&
    !ts.isExportSpecifier(parent) &&
    !ts.isLabeledStatement(parent) &&
    !ts.isBreakOrContinueStatement(parent)
  );
}

/** True for the text in `eval('…')` and `new Function('…')`, which is code that is not measured. */
function isDynamicCode(node: ts.Node): boolean {
  const { parent } = node;
  return (
    (ts.isCallExpression(parent) || ts.isNewExpression(parent)) &&
    ts.isIdentifier(parent.expression) &&
    /^(eval|Function)$/.test(parent.expression.text)
  );
}

/**
 * Variables that no code reads and whose values are computed only by built-in functions without side effects. Removing
 * them, with the calls in them, loses nothing.
 */
function findPointlessVariables(sourceFile: ts.SourceFile, unused: readonly UnusedDeclaration[]): ts.Node[] {
  const unreadVariables = unused.flatMap(({ declaration, statement }) =>
    statement === null &&
    ts.isVariableDeclaration(declaration) &&
    ts.isIdentifier(declaration.name) &&
    declaration.initializer
      ? [declaration]
      : [],
  );
  if (unreadVariables.length === 0) return [];
  const isPure = createPureCallTest(sourceFile);
  return unreadVariables
    .filter((declaration) => !hasSideEffects(sourceFile, declaration, isPure))
    .flatMap((declaration) => {
      const { parent } = declaration;
      return ts.isVariableDeclarationList(parent) &&
        parent.declarations.length === 1 &&
        ts.isVariableStatement(parent.parent)
        ? [declaration, parent.parent]
        : [declaration];
    });
}

/**
 * Unused declarations and imports, statements without effect, and statements that are never reached; empty if there
 * are syntax errors.
 */
function collectDeadNodes(sourceFile: ts.SourceFile): ReadonlySet<ts.Node> {
  const dead = new Set<ts.Node>();
  if (hasSyntaxErrors(sourceFile)) return dead;
  bindScript(sourceFile);
  const references = new ReferenceCount();
  const inertStatements: ts.Node[] = [];
  forEachNode(sourceFile, (node) => {
    references.visit(node);
    if (ts.isExpressionStatement(node) && isInertStatement(node)) inertStatements.push(node);
    inertStatements.push(...findUnreachableAfter(node));
  });
  const unused = references.mayHaveUnused() ? references.findUnused(sourceFile) : [];
  const { ranges } = findDeadCode(sourceFile, references, unused, inertStatements);
  forEachNode(sourceFile, (node) => {
    if (node.kind !== ts.SyntaxKind.SourceFile && ranges.get(node.end) === node.getStart(sourceFile)) dead.add(node);
  });
  for (const statement of inertStatements) dead.add(statement);
  for (const node of findPointlessVariables(sourceFile, unused)) dead.add(node);
  const unusedNames = new Set(unused.flatMap(({ names }) => names.map(({ start }) => start)));
  for (const statement of sourceFile.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    forEachNode(statement, (node) => {
      const { name } = node as ts.NamedDeclaration;
      if (name && unusedNames.has(name.getStart(sourceFile))) dead.add(node);
    });
  }
  return dead;
}
