// Parses the code of a script outside of its test cases.

import { ts } from 'ts-morph';
import { collectNodesBelow } from '../../../syntax/nodesBelow.ts';
import { normaliseCode } from '../assertionForms.ts';
import { findCaseOrGroup, type CaseOrGroup } from '../caseCalls.ts';
import { joinTokens, listUsedNames } from './scriptText.ts';
import { formatImport, createMemberOrigin, type FramePart, type Origin, type TestFrame } from './testFrame.ts';
import { normaliseModule } from './modules.ts';
import { findMocks, findOverrides } from './scriptOverrides.ts';
import { listBoundNames } from '../../../syntax/names.ts';

/** The code outside of the cases of a script. */
export function readScriptFrame(source: ts.SourceFile): TestFrame {
  const { parts, collect } = createReader(source);
  collect(source.statements, '');
  return { parts: resolveAliases(parts), overrides: findOverrides(source), mocks: findMocks(source) };
}

/** The declarations of a case: its parameters, and declarations with a value that are not in an inner function. */
export function readDeclared(
  call: ts.CallExpression,
  callback: ts.FunctionExpression | ts.ArrowFunction,
  { parts: fileParts }: TestFrame,
) {
  const { parts, addVariable, addStatement, addParameters } = createReader(callback.getSourceFile());
  addParameters(call, callback, '');
  const leftOut: ReadonlySet<ts.Node> = new Set();
  for (const node of collectNodesBelow(callback.body)) {
    if (ts.findAncestor(node.parent, ts.isFunctionLike) !== callback) continue;
    if (ts.isVariableDeclaration(node) && node.initializer) addVariable(node, { scope: '', leftOut });
    if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) addStatement(node, '', leftOut);
  }
  return resolveAliases([...fileParts, ...parts]).slice(fileParts.length);
}

/** Adds the declarations and actions of statements to `parts`. */
function createReader(source: ts.SourceFile) {
  const parts: FramePart[] = [];
  return { parts, collect: collectParts, addStatement, addVariable, addParameters };

  function collectParts(statements: readonly ts.Statement[], scope: string): void {
    for (const statement of statements) {
      const calls = findOutermostCalls(statement);
      const leftOut = new Set<ts.Node>(calls.map(({ call }) => call));
      if (!consistsOfCall(statement, leftOut)) addStatement(statement, scope, leftOut);
      for (const group of calls) {
        if (group.kind !== 'group' || !group.callback) continue;
        const inner = [scope, group.title].filter(Boolean).join(' › ');
        addGroupArguments(group, inner);
        addParameters(group.call, group.callback, inner);
        if (ts.isBlock(group.callback.body)) collectParts(group.callback.body.statements, inner);
      }
    }
  }

  function addStatement(statement: ts.Statement, scope: string, leftOut: ReadonlySet<ts.Node>): void {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return;
    if (ts.isImportDeclaration(statement)) return addImports(statement, scope);
    if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) addVariable(declaration, { scope, leftOut });
      return;
    }
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) {
      // The signature of an overload has no body.
      if (ts.isFunctionDeclaration(statement) && !statement.body) return;
      addPart(statement, { scope, leftOut, names: [statement.name?.text ?? 'default'] });
      return;
    }
    if (ts.isExportDeclaration(statement) || ts.isExportAssignment(statement)) {
      const name = ts.isExportDeclaration(statement) ? joinTokens(statement, leftOut) : 'default';
      addPart(statement, { scope, leftOut, names: [`export ${name}`] });
      return;
    }
    const exported = findExportedName(statement);
    if (exported) {
      const elements = ts.isObjectLiteralExpression(exported.value) ? elementsOf(exported.value) : {};
      addPart(statement, { scope, leftOut, names: [exported.name], ...elements });
    } else if (!isDirective(statement) && !ts.isEmptyStatement(statement))
      addPart(statement, { scope, leftOut, names: [] });
  }

  /** Adds a declaration or a statement without the cases in it. */
  function addPart(
    node: ts.Node,
    {
      leftOut,
      ...details
    }: Pick<FramePart, 'names' | 'scope' | 'elements'> & { readonly leftOut: ReadonlySet<ts.Node> },
  ): void {
    parts.push({
      ...{ ...details, line: lineOf(node), text: joinTokens(node, leftOut), words: listUsedNames(node, leftOut) },
      ...(leftOut.size === 0 ? { shown: normaliseCode(node.getText(source)) } : { holdsCases: true }),
    });
  }

  function addImport(node: ts.Node, name: string, origin: Origin, scope: string): void {
    parts.push({
      ...{ names: [name], scope, line: lineOf(node), text: formatImport(name, origin) },
      ...{ words: [], origin },
    });
  }

  function addImports(statement: ts.ImportDeclaration, scope: string): void {
    const module = normaliseModule((statement.moduleSpecifier as ts.StringLiteral).text);
    const { importClause: clause } = statement;
    if (!clause) return addPart(statement, { scope, names: [], leftOut: new Set() });
    if (clause.isTypeOnly) return;
    if (clause.name) addImport(clause.name, clause.name.text, { module, name: 'default' }, scope);
    const { namedBindings } = clause;
    if (!namedBindings) return;
    if (ts.isNamespaceImport(namedBindings))
      return addImport(namedBindings, namedBindings.name.text, { module, name: '*' }, scope);
    for (const element of namedBindings.elements)
      if (!element.isTypeOnly)
        addImport(element, element.name.text, { module, name: (element.propertyName ?? element.name).text }, scope);
  }

  function addVariable(
    declaration: ts.VariableDeclaration,
    place: { readonly scope: string; readonly leftOut: ReadonlySet<ts.Node> },
  ): void {
    const { name: bound, initializer } = declaration;
    const origin = initializer && parseOrigin(initializer);
    if (origin && ts.isIdentifier(bound)) return addImport(declaration, bound.text, origin, place.scope);
    if (origin && ts.isObjectBindingPattern(bound) && bound.elements.every(isPlainBinding)) {
      for (const { name, propertyName } of bound.elements) {
        const member = createMemberOrigin(origin, (propertyName ?? name).getText(source));
        addImport(declaration, (name as ts.Identifier).text, member, place.scope);
      }
      return;
    }
    const elements = initializer && ts.isArrayLiteralExpression(initializer) ? elementsOf(initializer) : {};
    addPart(declaration, { ...place, names: listBoundNames(bound), ...elements });
  }

  function addParameters(
    call: ts.CallExpression,
    callback: ts.FunctionExpression | ts.ArrowFunction,
    scope: string,
  ): void {
    for (const parameter of callback.parameters) {
      const names = listBoundNames(parameter.name);
      if (names.length === 0) continue;
      const place = { names, scope, line: lineOf(parameter), words: [] };
      parts.push({ ...place, text: joinTokens(parameter), given: joinTokens(call, new Set([callback])) });
    }
  }

  /** Adds the arguments that a group has in addition to its title and its function, as in `describe.each(rows)`. */
  function addGroupArguments({ call, callback }: CaseOrGroup, scope: string): void {
    if (
      !collectNodesBelow(call.expression).some((node) => ts.isCallExpression(node) || ts.isTemplateExpression(node)) &&
      !ts.isCallExpression(call.expression) &&
      !ts.isTaggedTemplateExpression(call.expression)
    )
      return;
    const leftOut = new Set<ts.Node>(callback ? [callback] : []);
    parts.push({
      ...{ names: [], scope, line: lineOf(call) },
      text: joinTokens(call.expression, leftOut),
      words: listUsedNames(call.expression, leftOut),
    });
  }

  function elementsOf(list: ts.ArrayLiteralExpression | ts.ObjectLiteralExpression): Pick<FramePart, 'elements'> {
    const nodes: readonly ts.Node[] = ts.isArrayLiteralExpression(list) ? list.elements : list.properties;
    return { elements: nodes.map((node) => joinTokens(node)) };
  }

  function lineOf(node: ts.Node): number {
    return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  }
}

/** The calls in a statement that declare cases or groups and are not inside another such call. */
function findOutermostCalls(statement: ts.Statement): readonly CaseOrGroup[] {
  const outermostCalls: CaseOrGroup[] = [];
  const pending: ts.Node[] = [statement];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const caseOrGroup = ts.isCallExpression(node) ? findCaseOrGroup(node) : null;
    if (caseOrGroup) outermostCalls.push(caseOrGroup);
    else ts.forEachChild(node, (child) => void pending.push(child));
  }
  return outermostCalls;
}

/** True for a statement that consists only of one of these calls. */
function consistsOfCall(statement: ts.Statement, calls: ReadonlySet<ts.Node>): boolean {
  if (!ts.isExpressionStatement(statement)) return false;
  let { expression } = statement;
  while (
    ts.isAwaitExpression(expression) ||
    ts.isVoidExpression(expression) ||
    ts.isParenthesizedExpression(expression)
  )
    ({ expression } = expression);
  return calls.has(expression);
}

function isDirective(statement: ts.Statement): boolean {
  return ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);
}

/** The exported name and its value in `exports.a = …` and `module.exports = …`. */
function findExportedName(statement: ts.Statement): { readonly name: string; readonly value: ts.Expression } | null {
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) return null;
  const { left, right, operatorToken } = statement.expression;
  if (operatorToken.kind !== ts.SyntaxKind.EqualsToken) return null;
  const path = /^(?:module\.)?exports(?:\.([\w$]+))?$/.exec(left.getText());
  return path && { name: `exports ${path[1] ?? ''}`, value: right };
}

function isPlainBinding({ name, initializer, dotDotDotToken }: ts.BindingElement): boolean {
  return ts.isIdentifier(name) && !initializer && !dotDotDotToken;
}

/**
 * The origin of `require('m')`, `await import('m')` or members of them. The `name` of a plain name is resolved later.
 */
function parseOrigin(value: ts.Expression): Origin | null {
  if (ts.isAwaitExpression(value) || ts.isParenthesizedExpression(value) || ts.isAsExpression(value))
    return parseOrigin(value.expression);
  if (ts.isPropertyAccessExpression(value)) {
    const inner = parseOrigin(value.expression);
    return inner && createMemberOrigin(inner, value.name.text);
  }
  if (ts.isIdentifier(value)) return { module: `${ALIAS}${value.text}`, name: '*' };
  if (!ts.isCallExpression(value)) return null;
  const [specifier] = value.arguments;
  const isLoadingCall =
    value.expression.kind === ts.SyntaxKind.ImportKeyword || value.expression.getText() === 'require';
  return isLoadingCall && specifier && ts.isStringLiteralLike(specifier)
    ? { module: normaliseModule(specifier.text), name: '*' }
    : null;
}

/** Marks a module that is the name of another part. */
const ALIAS = 'name ';

/** Replaces names of imports by their origins; names of anything else are plain code. */
function resolveAliases(parts: readonly FramePart[]): readonly FramePart[] {
  const origins = new Map(parts.flatMap(({ names: [name], origin }) => (name && origin ? [[name, origin]] : [])));
  const resolve = (origin: Origin, depth = 0): Origin | null => {
    if (!origin.module.startsWith(ALIAS)) return origin;
    const target = origins.get(origin.module.slice(ALIAS.length));
    const resolvedOrigin = target && depth < 5 ? resolve(target, depth + 1) : null;
    return resolvedOrigin && (origin.name === '*' ? resolvedOrigin : createMemberOrigin(resolvedOrigin, origin.name));
  };
  return parts.map((part) => {
    if (!part.origin?.module.startsWith(ALIAS)) return part;
    const { origin, ...plain } = part;
    const resolvedOrigin = resolve(origin);
    if (resolvedOrigin) return { ...part, origin: resolvedOrigin, text: formatImport(part.names[0]!, resolvedOrigin) };
    const word = origin.module.slice(ALIAS.length);
    const value = origin.name === '*' ? word : `${word}.${origin.name}`;
    return { ...plain, text: `${part.names[0]!}=${value}`, words: [word] };
  });
}
