// Compares statements of two functions node by node, and finds the values in which they differ.

import { ts } from 'ts-morph';
import { canBeArgument, isDeclaredOutside, type CopyInFile } from './possibleArguments.ts';

/** A value of the first function, and the value at the same place of the second function. */
export interface DifferingValue {
  readonly first: ts.Expression;
  readonly second: ts.Expression;
}

/**
 * The differences in the order of the text. `renames`: for each parameter and variable of the first function that the
 * statements mention, its name in the second function. `refused` if a difference cannot become a parameter.
 */
export type CopyComparison =
  | { readonly differences: readonly DifferingValue[]; readonly renames: ReadonlyMap<string, string> }
  | { readonly refused: string };

/** Kinds of symbols whose names can differ between two copies. */
const VARIABLE_LIKE_FLAGS =
  ts.SymbolFlags.Variable | ts.SymbolFlags.Function | ts.SymbolFlags.Class | ts.SymbolFlags.Enum | ts.SymbolFlags.Alias;
/** The refusal of copies whose difference no parameter can express. */
const OTHER_DIFFERENCE = 'They differ in more than values.';

/**
 * Compares statements of two functions. Parameters and variables may have different names, as long as each name always
 * corresponds to the same one.
 */
export function compareStatements(
  firstCopy: CopyInFile,
  secondCopy: CopyInFile,
  statements: readonly ts.Statement[],
  otherStatements: readonly ts.Statement[],
): CopyComparison {
  const differences: DifferingValue[] = [];
  const secondByFirst = new Map<ts.Symbol, ts.Symbol>();
  const firstBySecond = new Map<ts.Symbol, ts.Symbol>();

  const matchNames = (left: ts.Identifier, right: ts.Identifier): boolean => {
    const [firstSymbol, secondSymbol] = [findVariable(left, firstCopy), findVariable(right, secondCopy)];
    const isLocal = (symbol: ts.Symbol | undefined, { node }: CopyInFile) => symbol && !isDeclaredOutside(symbol, node);
    if (!isLocal(firstSymbol, firstCopy) && !isLocal(secondSymbol, secondCopy))
      return left.text === right.text && firstSymbol === secondSymbol;
    if (!firstSymbol || !secondSymbol || !isLocal(firstSymbol, firstCopy) || !isLocal(secondSymbol, secondCopy))
      return false;
    if (left.text !== right.text && (isShorthandKey(left) || isShorthandKey(right))) return false;
    if (!secondByFirst.has(firstSymbol) && !firstBySecond.has(secondSymbol)) {
      secondByFirst.set(firstSymbol, secondSymbol);
      firstBySecond.set(secondSymbol, firstSymbol);
    }
    return secondByFirst.get(firstSymbol) === secondSymbol && firstBySecond.get(secondSymbol) === firstSymbol;
  };

  const matchNodes = (left: ts.Node, right: ts.Node): boolean => {
    const countBefore = differences.length;
    if (left.kind === right.kind) {
      if (ts.isIdentifier(left) && ts.isIdentifier(right)) {
        if (matchNames(left, right)) return true;
      } else {
        const [leftParts, rightParts] = [collectParts(left), collectParts(right)];
        if (leftParts.length === 0 && rightParts.length === 0) {
          if (readText(left) === readText(right)) return true;
        } else if (
          leftParts.length === rightParts.length &&
          leftParts.every((part, index) => matchNodes(part, rightParts[index]!))
        )
          return true;
      }
    }
    if (!canBeArgument(left, firstCopy) || !canBeArgument(right, secondCopy)) return false;
    differences.length = countBefore;
    differences.push({ first: left as ts.Expression, second: right as ts.Expression });
    return true;
  };

  if (statements.length !== otherStatements.length) return { refused: OTHER_DIFFERENCE };
  if (!statements.every((statement, index) => matchNodes(statement, otherStatements[index]!)))
    return { refused: OTHER_DIFFERENCE };
  return {
    differences,
    renames: new Map([...secondByFirst].map(([symbol, secondSymbol]) => [symbol.name, secondSymbol.name])),
  };
}

/**
 * Finds the variable, parameter, function or class to which the name refers; undefined for properties, types and
 * globals.
 */
function findVariable(identifier: ts.Identifier, { names }: CopyInFile): ts.Symbol | undefined {
  const symbol = names.symbolOf(identifier);
  return symbol && (symbol.flags & VARIABLE_LIKE_FLAGS) !== 0 ? symbol : undefined;
}

/** True for a name that is also the key of a property: `{ size }`, in a literal or in a pattern. */
function isShorthandKey({ parent }: ts.Identifier): boolean {
  return (
    ts.isShorthandPropertyAssignment(parent) ||
    (ts.isBindingElement(parent) && !parent.propertyName && ts.isObjectBindingPattern(parent.parent))
  );
}

/** The children of a node without documentation, trailing commas and semicolons. A list is replaced by its elements. */
function collectParts(node: ts.Node): ts.Node[] {
  return node.getChildren().flatMap((child): ts.Node[] => {
    if (child.kind >= ts.SyntaxKind.FirstJSDocNode && child.kind <= ts.SyntaxKind.LastJSDocNode) return [];
    if (child.kind === ts.SyntaxKind.SyntaxList)
      return collectParts(child).filter(
        ({ kind }, index, all) => kind !== ts.SyntaxKind.CommaToken || index < all.length - 1,
      );
    return child.kind === ts.SyntaxKind.SemicolonToken && !ts.isForStatement(node) ? [] : [child];
  });
}

/** The text of a token; that of a string does not depend on its quotation marks. */
function readText(node: ts.Node): string {
  if (node.kind === ts.SyntaxKind.JsxText) return node.getFullText();
  return ts.isStringLiteral(node) ? JSON.stringify(node.text) : node.getText();
}
