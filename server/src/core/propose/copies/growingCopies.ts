// Finds loops that copy a whole list or record in every iteration to add one element, and changes them to add the
// element in place.

import { ts } from 'ts-morph';
import { skipParentheses, findEnclosingFunction } from '../../syntax/controlFlow.ts';
import { isEmptyLiteral } from '../../syntax/emptyLiteral.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { indentAt, type Replacement } from '../textEdit.ts';
import { isArray, type CopyRemoval, type TypedSource } from './copyRemoval.ts';
import { isAssignment } from '../../syntax/values.ts';

/** The list or record that an iteration creates. */
type Literal = ts.ArrayLiteralExpression | ts.ObjectLiteralExpression;

/**
 * Changes `reduce((all, one) => [...all, f(one)], [])` to `map((one) => f(one))`. If several elements are added or
 * `all` is read, the callback adds them by `all.push(…)` or `all[key] = …`. Refuses if that would change behaviour.
 * Null for any other node.
 */
export function removeCopiesInReduce(
  node: ts.Node,
  source: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  const { checker, sourceFile, style } = source;
  const grownName = findGrownName(node);
  if (!grownName) return null;
  const literal = node as Literal;
  const callback = skipOuterNodes(literal);
  const call = callback.parent;
  if (
    !ts.isArrowFunction(callback) ||
    !ts.isCallExpression(call) ||
    call.arguments[0] !== callback ||
    call.arguments.length !== 2 ||
    !ts.isPropertyAccessExpression(call.expression) ||
    call.expression.name.text !== 'reduce'
  )
    return null;
  const [accumulator, elementParameter, ...otherParameters] = callback.parameters;
  if (
    !accumulator ||
    !elementParameter ||
    !ts.isIdentifier(accumulator.name) ||
    accumulator.name.text !== grownName.text ||
    !isEmptyLiteral(call.arguments[1]!)
  )
    return null;
  if (!isArray(call.expression.expression, source))
    return { refused: 'The compiler does not know that what is reduced is an array.' };
  if (callback.modifiers?.length) return { refused: 'The callback is asynchronous.' };
  const body = sourceFile.text.slice(callback.equalsGreaterThanToken.end, callback.end);
  if (/\/[/*]/.test(body.replace(/(['"`]).*?\1/g, '')) || body.trim().includes('\n'))
    return { refused: 'The callback takes several lines, which would have to be formatted again.' };
  if (letsListEscape(literal, grownName, checker))
    return { refused: `A part of ${grownName.text} that is kept would see what is added later.` };

  const onlyElement =
    ts.isArrayLiteralExpression(literal) && literal.elements.length === 2 ? literal.elements[1]! : null;
  const isUsedAgain =
    collectDescendants(callback).filter((inner) => ts.isIdentifier(inner) && inner.text === grownName.text).length > 2;
  if (onlyElement && !isUsedAgain && otherParameters.length <= 1) {
    const value = readText(onlyElement, source);
    const wrappedValue = ts.isObjectLiteralExpression(onlyElement) ? `(${value})` : value;
    const isSimpleParameter =
      ts.isIdentifier(elementParameter.name) &&
      !elementParameter.type &&
      otherParameters.length === 0 &&
      !callback.type;
    const parameters =
      isSimpleParameter && !callback.getText(sourceFile).startsWith('(')
        ? elementParameter.getText(sourceFile)
        : `(${[elementParameter, ...otherParameters].map((parameter) => parameter.getText(sourceFile)).join(', ')})`;
    return {
      replacements: [
        {
          start: call.expression.name.getStart(sourceFile),
          end: call.end,
          text: `map(${parameters} => ${wrappedValue})`,
        },
      ],
      title: 'map the list instead of copying it in every turn',
      rationale:
        `Every iteration copies all of \`${grownName.text}\` to add one element, so the work grows with the square ` +
        `of its length; \`map\` makes the same list once.`,
    };
  }
  const addedLines = createAdditions(literal, grownName.text, source);
  if (!addedLines) return { refused: 'The added value cannot be written as a statement.' };
  const indent = indentAt(sourceFile.text, callback.getStart(sourceFile));
  const semicolon = style.semicolons ? ';' : '';
  const lines = [...addedLines, `return ${grownName.text}`].map(
    (line) => `${indent}${style.indent}${line}${semicolon}${style.newline}`,
  );
  return {
    replacements: [
      {
        start: callback.body.getStart(sourceFile),
        end: callback.end,
        text: `{${style.newline}${lines.join('')}${indent}}`,
      },
    ],
    title: `append to ${grownName.text} in place`,
    rationale:
      `Every iteration copies all of \`${grownName.text}\` to add to it, so the work grows with the square of ` +
      `its length. It begins as a literal that nobody else holds, so adding in place changes nothing for others.`,
  };
}

/**
 * Changes `all = [...all, one]` to `all.push(one)` wherever the loop extends the list, and `all = { ...all, key: one }`
 * to `all.key = one`, or refuses if that would change behaviour. Null for any other node.
 */
export function removeCopiesInLoop(
  node: ts.Node,
  source: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  const grownName = findGrownName(node);
  const assignment = grownName && skipOuterNodes(node as Literal, ts.isParenthesizedExpression);
  if (!grownName || !assignment || !isGrowth(assignment, grownName.text)) return null;
  const { checker, sourceFile } = source;
  const symbol = checker.getSymbolAtLocation(grownName);
  const declaration = symbol?.valueDeclaration;
  if (
    !symbol ||
    !declaration ||
    !ts.isVariableDeclaration(declaration) ||
    !declaration.initializer ||
    !isEmptyLiteral(declaration.initializer)
  )
    return { refused: `${grownName.text} does not begin as an empty literal of this file.` };
  const declarationList = declaration.parent;
  if (
    !ts.isVariableDeclarationList(declarationList) ||
    !ts.isVariableStatement(declarationList.parent) ||
    declarationList.parent.modifiers?.length
  )
    return { refused: `${grownName.text} is declared in a way that others may see.` };
  const references = collectDescendants(sourceFile).filter(
    (candidate): candidate is ts.Identifier =>
      ts.isIdentifier(candidate) && candidate.text === grownName.text && findSymbol(candidate, checker) === symbol,
  );
  const loop = findOutermostLoop(assignment, declarationList.parent);
  if (!loop) return { refused: 'It does not stand in a loop.' };
  const declaringFunction = findEnclosingFunction(declaration);
  const copies: ts.BinaryExpression[] = [];
  for (const reference of references) {
    if (reference === declaration.name || reference.pos >= loop.end) continue;
    if (findEnclosingFunction(reference) !== declaringFunction)
      return { refused: `A closure knows ${grownName.text}.` };
    const copy = findGrowth(reference, grownName.text);
    if (copy) {
      if (!copies.includes(copy)) copies.push(copy);
    } else if (!keepsNoReference(reference))
      return { refused: `${grownName.text} is handed on while the loop still adds to it.` };
  }
  if (
    references.some(
      (reference) => reference.pos >= loop.end && isAssigned(reference) && !findGrowth(reference, grownName.text),
    ) &&
    copies.length === 0
  )
    return { refused: 'There is nothing to change.' };
  const replacements: Replacement[] = [];
  for (const copy of copies) {
    const literal = skipParentheses(copy.right) as Literal;
    const addedLines = letsListEscape(literal, grownName, checker)
      ? null
      : createAdditions(literal, grownName.text, source);
    if (addedLines?.length !== 1 || /\/[/*]/.test(copy.getText(sourceFile).replace(/(['"`]).*?\1/g, '')))
      return { refused: 'The added value cannot be written as one statement.' };
    replacements.push({ start: copy.getStart(sourceFile), end: copy.end, text: addedLines[0]! });
  }
  // True if another statement still assigns to the name.
  const isStillAssigned = references.some(
    (reference) =>
      reference !== declaration.name && isAssigned(reference) && !copies.some((copy) => copy.left === reference),
  );
  const [keyword] = declarationList.getChildren(sourceFile);
  if (!isStillAssigned && declarationList.declarations.length === 1 && keyword?.kind === ts.SyntaxKind.LetKeyword)
    replacements.push({ start: keyword.getStart(sourceFile), end: keyword.end, text: 'const' });
  return {
    replacements,
    title: `append to ${grownName.text} in place`,
    rationale:
      `Every iteration copies all of \`${grownName.text}\` to add to it, so the work grows with the square of ` +
      `its length. Nobody else holds it before the loop is done.`,
  };
}

/**
 * Finds the name that the literal copies and extends: `all` in `[...all, x]` and `{ ...all, x }`; null for any other
 * node.
 */
function findGrownName(node: ts.Node): ts.Identifier | null {
  const parts: readonly ts.Node[] = ts.isArrayLiteralExpression(node)
    ? node.elements
    : ts.isObjectLiteralExpression(node)
      ? node.properties
      : [];
  const [firstPart, ...addedParts] = parts;
  if (
    !firstPart ||
    addedParts.length === 0 ||
    addedParts.some((part) => ts.isSpreadElement(part) || ts.isSpreadAssignment(part) || ts.isOmittedExpression(part))
  )
    return null;
  return (ts.isSpreadElement(firstPart) || ts.isSpreadAssignment(firstPart)) && ts.isIdentifier(firstPart.expression)
    ? firstPart.expression
    : null;
}

/**
 * Writes the statements that add the elements, such as `all.push(x)` and `all[key] = x`, without semicolons. Null if
 * the literal has methods, accessors, spreads or a key that may be `__proto__`, or if several entries are added and one
 * of them reads the record.
 */
function createAdditions(literal: Literal, name: string, source: TypedSource): string[] | null {
  if (ts.isArrayLiteralExpression(literal))
    return [
      `${name}.push(${literal.elements
        .slice(1)
        .map((element) => readText(element, source))
        .join(', ')})`,
    ];
  const lines: string[] = [];
  for (const property of literal.properties.slice(1)) {
    const line = createAddition(property, name, source);
    if (line === null) return null;
    lines.push(line);
  }
  // A later value that reads the name would see the entries that were added before it.
  return lines.length > 1 &&
    literal.properties
      .slice(1)
      .some((property) => collectDescendants(property).some((inner) => ts.isIdentifier(inner) && inner.text === name))
    ? null
    : lines;
}

/** Writes the assignment that adds the property; null if it has no plain value, or a key that may be `__proto__`. */
function createAddition(property: ts.ObjectLiteralElementLike, name: string, source: TypedSource): string | null {
  const { name: key } = property;
  if (!key || key.getText().replace(/['"]/g, '') === '__proto__') return null;
  if (ts.isShorthandPropertyAssignment(property)) return `${name}.${property.name.text} = ${property.name.text}`;
  if (!ts.isPropertyAssignment(property)) return null;
  const value = readText(property.initializer, source);
  if (ts.isIdentifier(key)) return `${name}.${key.text} = ${value}`;
  if (ts.isStringLiteral(key) || ts.isNumericLiteral(key)) return `${name}[${readText(key, source)}] = ${value}`;
  if (!ts.isComputedPropertyName(key) || mayBeProto(source.checker.getTypeAtLocation(key.expression))) return null;
  return `${name}[${readText(key.expression, source)}] = ${value}`;
}

/**
 * True unless the type shows that the key is not `__proto__`. In a literal, a computed `__proto__` is an ordinary
 * property, but an assignment to it sets the prototype.
 */
function mayBeProto(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(mayBeProto);
  if (type.isStringLiteral()) return type.value === '__proto__';
  if ((type.flags & ts.TypeFlags.TemplateLiteral) !== 0) {
    const [head = ''] = (type as ts.TemplateLiteralType).texts;
    return '__proto__'.startsWith(head);
  }
  return (type.flags & (ts.TypeFlags.NumberLike | ts.TypeFlags.ESSymbolLike)) === 0;
}

/** True if an added value contains the growing list or record itself, or a closure that uses it. */
function letsListEscape(literal: Literal, grownName: ts.Identifier, checker: ts.TypeChecker): boolean {
  const symbol = findSymbol(grownName, checker);
  return collectDescendants(literal).some((node) => {
    if (!ts.isIdentifier(node) || node === grownName || findSymbol(node, checker) !== symbol) return false;
    return !keepsNoReference(node) || hasFunctionBetween(node, literal);
  });
}

/**
 * True for a read of one part that keeps no reference to the list or record: `all.length`, `all[key]`, `key in all`,
 * `all.includes(x)`.
 */
function keepsNoReference(reference: ts.Identifier): boolean {
  const { parent } = reference;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InKeyword)
    return parent.right === reference;
  if (ts.isElementAccessExpression(parent)) return parent.expression === reference && !isWriteTarget(parent);
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== reference || isWriteTarget(parent)) return false;
  if (!ts.isCallExpression(parent.parent) || parent.parent.expression !== parent) return true;
  return ['includes', 'indexOf', 'some', 'every', 'find', 'findIndex', 'join', 'at', 'hasOwnProperty'].includes(
    parent.name.text,
  );
}

/** True if the node is assigned to, deleted, or the operand of a unary operator such as `++` or `!`. */
function isWriteTarget(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.left === node && isAssignment(parent);
  return ts.isDeleteExpression(parent) || ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent);
}

/** True if the name is assigned to, deleted, or the operand of a unary operator other than `!`. */
function isAssigned(reference: ts.Identifier): boolean {
  return (
    isWriteTarget(reference) &&
    !(ts.isPrefixUnaryExpression(reference.parent) && reference.parent.operator === ts.SyntaxKind.ExclamationToken)
  );
}

/** True for the statement `all = [...all, one]` or `all = { ...all, one }`. `name`: the name of the list or record. */
function isGrowth(node: ts.Node, name: string): node is ts.BinaryExpression {
  if (
    !ts.isBinaryExpression(node) ||
    node.operatorToken.kind !== ts.SyntaxKind.EqualsToken ||
    !ts.isExpressionStatement(node.parent) ||
    !ts.isIdentifier(node.left) ||
    node.left.text !== name
  )
    return false;
  return findGrownName(skipParentheses(node.right))?.text === name;
}

/** Finds the growing assignment that contains a reference on either side; null if there is none. */
function findGrowth(reference: ts.Identifier, name: string): ts.BinaryExpression | null {
  if (isGrowth(reference.parent, name) && reference.parent.left === reference) return reference.parent;
  if (!ts.isSpreadElement(reference.parent) && !ts.isSpreadAssignment(reference.parent)) {
    // A reference inside the added value is checked by `letsListEscape`.
    for (let ancestor: ts.Node = reference; ancestor.parent && !ts.isStatement(ancestor); ancestor = ancestor.parent)
      if (isGrowth(ancestor.parent, name)) return ancestor.parent;
    return null;
  }
  const assignment = skipOuterNodes(reference.parent.parent as Literal, ts.isParenthesizedExpression);
  return isGrowth(assignment, name) ? assignment : null;
}

/** The variable to which a name refers, including in a shorthand property. */
function findSymbol(node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  return ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
}

/** True if there is a function between the node and `outer`. */
function hasFunctionBetween(node: ts.Node, outer: ts.Node): boolean {
  for (let ancestor = node.parent; ancestor && ancestor !== outer; ancestor = ancestor.parent)
    if (ts.isFunctionLike(ancestor)) return true;
  return false;
}

/**
 * Finds the outermost loop around the node inside the block of the declaration; null if there is none, or if there is a
 * function in between.
 */
function findOutermostLoop(node: ts.Node, declaration: ts.Node): ts.Node | null {
  let outermost: ts.Node | null = null;
  for (let ancestor = node.parent; ancestor && ancestor !== declaration.parent; ancestor = ancestor.parent) {
    if (ts.isFunctionLike(ancestor)) return null;
    if (ts.isIterationStatement(ancestor, false)) outermost = ancestor;
  }
  return outermost;
}

/** The nearest ancestor of an expression that is not `isSkipped`; by default, parentheses are skipped. */
function skipOuterNodes(
  node: ts.Expression,
  isSkipped: (node: ts.Node) => boolean = ts.isParenthesizedExpression,
): ts.Node {
  let { parent }: ts.Node = node;
  while (isSkipped(parent)) parent = parent.parent;
  return parent;
}

function readText(node: ts.Node, { sourceFile }: TypedSource): string {
  return node.getText(sourceFile);
}
