// Reads what a script holds outside of its test cases.

import { ts } from 'ts-morph';
import { findAssertionNames } from '../../../syntax/assertionNames.ts';
import { collectNodesBelow } from '../../../syntax/nodesBelow.ts';
import { normalisedCode } from '../assertionForms.ts';
import { findCaseOrGroup, type CaseOrGroup } from '../caseCalls.ts';
import { importText, type FramePart, type Origin, type TestFrame } from './testFrame.ts';
import { normaliseModule } from './modules.ts';

/** Members of assertion libraries, as far as tests commonly use them. */
const ASSERTION_MEMBERS =
  /^(?:(?:not|is|loose|strict|deep|partial)*(?:Strict|Deep|Loose|Shallow)*(?:equals?|Equal|eql?|same|Same)|ok|notOk|pass|fail|truthy|falsy|true|false|is|not|throws?|throwsAsync|notThrows|rejects|doesNotThrow|doesNotReject|match|doesNotMatch|include|includes|is(?:True|False|Null|Ok|Defined|Undefined|NotOk|Array)|lengthOf|property|ifError|AssertionError|to[A-Z]\w*)$/;
/** Objects of assertion libraries that runners offer without an import. */
const GLOBAL_ASSERTIONS = ['expect', 'assert', 'chai', 'should'];
/** Functions that replace a member of their first argument. */
const REPLACING_CALL =
  /^(?:Object\.(?:assign|defineProperty|defineProperties)|Reflect\.(?:set|defineProperty)|(?:\w+\.)*(?:spyOn|stub|method))$/;

/** What is outside of the cases of a script. */
export function readScriptFrame(source: ts.SourceFile): TestFrame {
  const parts: FramePart[] = [];
  collect(source.statements, '');
  return { parts: withResolvedAliases(parts), overrides: findOverrides(source) };

  function collect(statements: readonly ts.Statement[], scope: string): void {
    for (const statement of statements) {
      const calls = findOutermostCalls(statement);
      const leftOut = new Set<ts.Node>(calls.map(({ call }) => call));
      if (!isOnlyCall(statement, leftOut)) addStatement(statement, scope, leftOut);
      for (const group of calls) {
        if (group.kind !== 'group' || !group.callback) continue;
        const inner = [scope, group.title].filter(Boolean).join(' › ');
        addTableOf(group, inner);
        if (ts.isBlock(group.callback.body)) collect(group.callback.body.statements, inner);
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
      const name = ts.isExportDeclaration(statement) ? codeText(statement, leftOut) : 'default';
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
      ...{ ...details, line: lineOf(node), text: codeText(node, leftOut), words: wordsOf(node, leftOut) },
      ...(leftOut.size === 0 ? { shown: normalisedCode(node.getText(source)) } : { holdsCases: true }),
    });
  }

  function addImport(node: ts.Node, name: string, origin: Origin, scope: string): void {
    parts.push({
      ...{ names: [name], scope, line: lineOf(node), text: importText(name, origin) },
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
    const origin = initializer && originOf(initializer);
    if (origin && ts.isIdentifier(bound)) return addImport(declaration, bound.text, origin, place.scope);
    if (origin && ts.isObjectBindingPattern(bound) && bound.elements.every(isPlain)) {
      for (const { name, propertyName } of bound.elements) {
        const member = memberOf(origin, (propertyName ?? name).getText(source));
        addImport(declaration, (name as ts.Identifier).text, member, place.scope);
      }
      return;
    }
    const elements = initializer && ts.isArrayLiteralExpression(initializer) ? elementsOf(initializer) : {};
    addPart(declaration, { ...place, names: bindingNames(bound), ...elements });
  }

  /** Adds what a group depends on beside its title and its function, as in `describe.each(rows)`. */
  function addTableOf({ call, callback }: CaseOrGroup, scope: string): void {
    if (
      !collectNodesBelow(call.expression).some((node) => ts.isCallExpression(node) || ts.isTemplateExpression(node)) &&
      !ts.isCallExpression(call.expression) &&
      !ts.isTaggedTemplateExpression(call.expression)
    )
      return;
    const leftOut = new Set<ts.Node>(callback ? [callback] : []);
    parts.push({
      ...{ names: [], scope, line: lineOf(call) },
      text: codeText(call.expression, leftOut),
      words: wordsOf(call.expression, leftOut),
    });
  }

  function elementsOf(list: ts.ArrayLiteralExpression | ts.ObjectLiteralExpression): Pick<FramePart, 'elements'> {
    const nodes: readonly ts.Node[] = ts.isArrayLiteralExpression(list) ? list.elements : list.properties;
    return { elements: nodes.map((node) => codeText(node)) };
  }

  function lineOf(node: ts.Node): number {
    return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  }
}

/** The tokens of a node without comments, layout, kinds of quotes, semicolons and trailing commas. */
export function codeText(root: ts.Node, leftOut: ReadonlySet<ts.Node> = new Set()): string {
  const source = root.getSourceFile();
  const tokens: string[] = [];
  const pending: ts.Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (leftOut.has(node) || node.kind === ts.SyntaxKind.SemicolonToken || ts.isJSDoc(node)) continue;
    const children = node.getChildren(source);
    if (children.length > 0) pending.push(...children.toReversed());
    else if (node.getWidth(source) > 0)
      tokens.push(ts.isStringLiteral(node) ? JSON.stringify(node.text) : node.getText(source));
  }
  return tokens
    .filter((token, index) => token !== ',' || !/^[)\]}]$/.test(tokens[index + 1] ?? ''))
    .map((token, index, kept) => (/^[\w$]/.test(token) && /[\w$]$/.test(kept[index - 1] ?? '') ? ` ${token}` : token))
    .join('')
    .replace(/"((?:[^"'\\]|\\.)*)"/g, "'$1'");
}

/** The names that a node uses: no members, no keys, and nothing that the node declares. */
export function wordsOf(root: ts.Node, leftOut: ReadonlySet<ts.Node> = new Set()): readonly string[] {
  const declared = new Set<string>();
  const used = new Set<string>();
  const pending: ts.Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (leftOut.has(node)) continue;
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      if (isDeclaredName(node)) declared.add(node.text);
      else if (!isMemberName(node, parent)) used.add(node.text);
    }
    ts.forEachChild(node, (child) => void pending.push(child));
  }
  return [...used].filter((name) => !declared.has(name));
}

function isDeclaredName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isBindingElement(parent) ||
      ts.isFunctionDeclaration(parent) ||
      ts.isFunctionExpression(parent) ||
      ts.isClassDeclaration(parent)) &&
    parent.name === node
  );
}

function isMemberName(node: ts.Identifier, parent: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent))
    return parent.name === node;
  return (ts.isBindingElement(parent) && parent.propertyName === node) || ts.isTypeReferenceNode(parent);
}

/** The calls in a statement that declare cases or groups and are in no other such call. */
function findOutermostCalls(statement: ts.Statement): readonly CaseOrGroup[] {
  const found: CaseOrGroup[] = [];
  const pending: ts.Node[] = [statement];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const declared = ts.isCallExpression(node) ? findCaseOrGroup(node) : null;
    if (declared) found.push(declared);
    else ts.forEachChild(node, (child) => void pending.push(child));
  }
  return found;
}

/** True for a statement that is one of these calls and nothing else. */
function isOnlyCall(statement: ts.Statement, calls: ReadonlySet<ts.Node>): boolean {
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
export function findExportedName(
  statement: ts.Statement,
): { readonly name: string; readonly value: ts.Expression } | null {
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) return null;
  const { left, right, operatorToken } = statement.expression;
  if (operatorToken.kind !== ts.SyntaxKind.EqualsToken) return null;
  const path = /^(?:module\.)?exports(?:\.([\w$]+))?$/.exec(left.getText());
  return path && { name: `exports ${path[1] ?? ''}`, value: right };
}

function isPlain({ name, initializer, dotDotDotToken }: ts.BindingElement): boolean {
  return ts.isIdentifier(name) && !initializer && !dotDotDotToken;
}

function bindingNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? bindingNames(element.name) : []));
}

/** What `require('m')`, `await import('m')` or members of them stand for; `name` of a plain name is resolved later. */
export function originOf(value: ts.Expression): Origin | null {
  if (ts.isAwaitExpression(value) || ts.isParenthesizedExpression(value) || ts.isAsExpression(value))
    return originOf(value.expression);
  if (ts.isPropertyAccessExpression(value)) {
    const inner = originOf(value.expression);
    return inner && memberOf(inner, value.name.text);
  }
  if (ts.isIdentifier(value)) return { module: `${ALIAS}${value.text}`, name: '*' };
  if (!ts.isCallExpression(value)) return null;
  const [specifier] = value.arguments;
  const loads = value.expression.kind === ts.SyntaxKind.ImportKeyword || value.expression.getText() === 'require';
  return loads && specifier && ts.isStringLiteralLike(specifier)
    ? { module: normaliseModule(specifier.text), name: '*' }
    : null;
}

/** What a member of an import stands for. */
export function memberOf({ module, name }: Origin, member: string): Origin {
  return { module, name: name === '*' || name === 'default' ? member : `${name}.${member}` };
}

/** Marks a module that is the name of another part. */
const ALIAS = 'name ';

/** Replaces names of imports by what they stand for; names of anything else are plain code. */
function withResolvedAliases(parts: readonly FramePart[]): readonly FramePart[] {
  const origins = new Map(parts.flatMap(({ names: [name], origin }) => (name && origin ? [[name, origin]] : [])));
  const resolve = (origin: Origin, depth = 0): Origin | null => {
    if (!origin.module.startsWith(ALIAS)) return origin;
    const target = origins.get(origin.module.slice(ALIAS.length));
    const resolved = target && depth < 5 ? resolve(target, depth + 1) : null;
    return resolved && (origin.name === '*' ? resolved : memberOf(resolved, origin.name));
  };
  return parts.map((part) => {
    if (!part.origin?.module.startsWith(ALIAS)) return part;
    const { origin, ...plain } = part;
    const resolved = resolve(origin);
    if (resolved) return { ...part, origin: resolved, text: importText(part.names[0]!, resolved) };
    return { ...plain, words: [origin.module.slice(ALIAS.length)] };
  });
}

/** Where a member of an assertion library is replaced by something that is not another member of one. */
function findOverrides(source: ts.SourceFile): TestFrame['overrides'] {
  const names = new Set([...findLibraryNames(source), ...GLOBAL_ASSERTIONS]);
  const isAssertion = (node: ts.Expression | undefined): boolean => {
    let current = node;
    while (current && (ts.isPropertyAccessExpression(current) || ts.isElementAccessExpression(current)))
      current = current.expression;
    return current !== undefined && ts.isIdentifier(current) && names.has(current.text);
  };
  return collectNodesBelow(source).flatMap((node) => {
    const isAssigned =
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
      node.operatorToken.kind <= ts.SyntaxKind.LastAssignment &&
      !ts.isIdentifier(node.left) &&
      isAssertion(node.left) &&
      ASSERTION_MEMBERS.test(lastMember(node.left)) &&
      !isAssertion(node.right);
    const isReplaced =
      ts.isCallExpression(node) &&
      REPLACING_CALL.test(node.expression.getText(source)) &&
      isAssertion(node.arguments[0]);
    if (!isAssigned && !isReplaced) return [];
    const shown = normalisedCode(node.getText(source));
    return [
      { text: codeText(node), shown, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 },
    ];
  });
}

/** Local names that an assertion library is imported by; helpers of the file are none. */
function findLibraryNames(source: ts.SourceFile): readonly string[] {
  const helpers = new Set(
    source.statements.flatMap((statement) =>
      ts.isFunctionDeclaration(statement) && statement.name ? [statement.name.text] : [],
    ),
  );
  return [...findAssertionNames(source).keys()].filter((name) => !helpers.has(name));
}

/** The last member of `assert.equal` and `assert['equal']`. */
function lastMember(node: ts.Expression): string {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (!ts.isElementAccessExpression(node)) return '';
  const { argumentExpression } = node;
  // A computed member may be any.
  return ts.isStringLiteralLike(argumentExpression) ? argumentExpression.text : 'equal';
}
