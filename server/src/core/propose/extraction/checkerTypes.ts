// Asks the type checker about values in a file. If the type is uncertain, the answer is the one that prevents a change.

import { ts } from 'ts-morph';
import { openProject } from './project.ts';
import type { SourceTree } from '../../ports/sources.ts';

/**
 * Answers questions about the types of expressions. Nodes may come from any parse of the same text. All answers except
 * `isAccessor` and `isAny` are false if the type is uncertain: for `any`, `unknown`, or an element at an index that may
 * not exist. Without strict null checks, any type may hide null, so the answers that exclude null are false, too:
 * `isBoolean`, `isString`, `isNumber`, `isArray`, `isNotThenable`, `isNeverNull` and `isNeverUndefined`.
 */
export interface Types {
  /** True for boolean, but not if null or undefined is possible. */
  isBoolean(node: ts.Expression): boolean;
  /** True for boolean, null or undefined. */
  isBooleanOrNullish(node: ts.Expression): boolean;
  isString(node: ts.Expression): boolean;
  isNumber(node: ts.Expression): boolean;
  /** True for string, number, bigint, boolean, null or undefined: `+` and a template convert them to the same text. */
  isPlain(node: ts.Expression): boolean;
  /** True for an array or a tuple. */
  isArray(node: ts.Expression): boolean;
  /** True if the value is falsy only when it is null or undefined: not a string, number, bigint or boolean. */
  isTruthyOrNullish(node: ts.Expression): boolean;
  /** True if no part of the type has a member `then`, and none is as wide as `{}`, which allows any value. */
  isNotThenable(node: ts.Expression): boolean;
  isNeverNull(node: ts.Expression): boolean;
  isNeverUndefined(node: ts.Expression): boolean;
  /** True if the property is an accessor, so that reading it runs code, or if the property is unknown. */
  isAccessor(node: ts.PropertyAccessExpression): boolean;
  /** True if the property is a member of `String`, such as `length` of a string. */
  isOfString(node: ts.PropertyAccessExpression): boolean;
  /** True for the type `any`. */
  isAny(node: ts.Expression): boolean;
  /** The declarations of a name as this file sees it; the declaration of an imported name is its import. */
  declarations(node: ts.Identifier): readonly ts.Declaration[];
  /** Closes the project if a call has opened it. */
  dispose(): void;
}

/** Types whose only values are null and undefined. */
const NULLISH_FLAGS = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void;

/** Opens the types of a file. The type checker is created at the first call of a method. */
export function openTypes(tree: SourceTree, absolutePath: string, text: string): Types {
  let typedFile: ReturnType<typeof openTypedFile> | null = null;
  const openFile = () => (typedFile ??= openTypedFile(tree, absolutePath, text));
  const findParts = (node: ts.Expression): readonly ts.Type[] | null => openFile().partsOf(node);
  const allPartsMatch = (node: ts.Expression, accepts: (type: ts.Type) => boolean): boolean =>
    findParts(node)?.every(accepts) ?? false;
  const hasFlags = (flags: ts.TypeFlags) => (type: ts.Type) => (type.flags & flags) !== 0;
  const hasFlagsInStrictMode = (node: ts.Expression, flags: ts.TypeFlags) =>
    openFile().strict && allPartsMatch(node, hasFlags(flags));
  return {
    isBoolean: (node) => hasFlagsInStrictMode(node, ts.TypeFlags.BooleanLike),
    isBooleanOrNullish: (node) => allPartsMatch(node, hasFlags(ts.TypeFlags.BooleanLike | NULLISH_FLAGS)),
    isString: (node) => hasFlagsInStrictMode(node, ts.TypeFlags.StringLike),
    isNumber: (node) => hasFlagsInStrictMode(node, ts.TypeFlags.NumberLike),
    isPlain: (node) =>
      allPartsMatch(
        node,
        hasFlags(
          ts.TypeFlags.StringLike |
            ts.TypeFlags.NumberLike |
            ts.TypeFlags.BigIntLike |
            ts.TypeFlags.BooleanLike |
            NULLISH_FLAGS,
        ),
      ),
    isArray: (node) =>
      openFile().strict &&
      allPartsMatch(node, (type) => openFile().checker.isArrayType(type) || openFile().checker.isTupleType(type)),
    isTruthyOrNullish: (node) =>
      allPartsMatch(
        node,
        (type) =>
          hasFlags(ts.TypeFlags.Object | ts.TypeFlags.ESSymbolLike | NULLISH_FLAGS)(type) &&
          !openFile().holdsPlain(type),
      ),
    isNotThenable: (node) =>
      openFile().strict &&
      allPartsMatch(
        node,
        (type) =>
          type.getProperty('then') === undefined &&
          !(hasFlags(ts.TypeFlags.Object)(type) && openFile().holdsPlain(type)),
      ),
    isNeverNull: (node) => openFile().strict && allPartsMatch(node, (type) => !hasFlags(ts.TypeFlags.Null)(type)),
    isNeverUndefined: (node) =>
      openFile().strict && allPartsMatch(node, (type) => !hasFlags(ts.TypeFlags.Undefined | ts.TypeFlags.Void)(type)),
    isAccessor: (node) => openFile().isAccessor(node),
    isOfString: (node) => openFile().isOfString(node),
    isAny: (node) => openFile().isAny(node),
    declarations: (node) => openFile().declarations(node),
    dispose: () => typedFile?.project.service.dispose(),
  };
}

/** Opens the file in a project with a type checker. The caller must dispose of `project.service`. */
function openTypedFile(tree: SourceTree, absolutePath: string, text: string) {
  const project = openProject(tree, absolutePath, text);
  const sourceFile = project.sourceFile();
  const checker = project.checker();
  const options = project.service.getProgram()?.getCompilerOptions() ?? {};
  return {
    project,
    checker,
    /** True with strict null checks. Without them, any type may include null and undefined. */
    strict: options.strictNullChecks ?? options.strict ?? false,
    /** The members of a union, with constraints in place of type parameters; null if the type is not certain. */
    partsOf(node: ts.Expression): readonly ts.Type[] | null {
      const counterpart = findCounterpart(sourceFile, node);
      if (!counterpart || (!options.noUncheckedIndexedAccess && readsIndex(counterpart))) return null;
      const nodeType = checker.getTypeAtLocation(counterpart);
      if (nodeType.isIntersection() && nodeType.types.some(({ flags }) => (flags & ts.TypeFlags.TypeParameter) !== 0))
        return null;
      const type = checker.getBaseConstraintOfType(nodeType) ?? nodeType;
      const parts = type.isUnion() ? type.types : [type];
      const isCertain = parts.every(
        (part) =>
          (part.flags &
            (ts.TypeFlags.Any |
              ts.TypeFlags.Unknown |
              ts.TypeFlags.Never |
              ts.TypeFlags.TypeParameter |
              ts.TypeFlags.IndexedAccess |
              ts.TypeFlags.Conditional)) ===
          0,
      );
      return isCertain && parts.length > 0 ? parts : null;
    },
    /** True if the type includes primitive values: `{}`, `Object` and `{ length: number }` include strings. */
    holdsPlain: (type: ts.Type) =>
      [checker.getStringType(), checker.getNumberType(), checker.getBooleanType(), checker.getBigIntType()].some(
        (primitiveType) => checker.isTypeAssignableTo(primitiveType, type),
      ),
    isAccessor(node: ts.PropertyAccessExpression): boolean {
      const counterpart = findCounterpart(sourceFile, node);
      const symbol =
        counterpart && ts.isPropertyAccessExpression(counterpart)
          ? checker.getSymbolAtLocation(counterpart.name)
          : undefined;
      return symbol === undefined || (symbol.flags & ts.SymbolFlags.Accessor) !== 0;
    },
    isOfString(node: ts.PropertyAccessExpression): boolean {
      const counterpart = findCounterpart(sourceFile, node);
      if (!counterpart || !ts.isPropertyAccessExpression(counterpart)) return false;
      const declarations = checker.getSymbolAtLocation(counterpart.name)?.declarations ?? [];
      const isOfString = ({ parent }: ts.Node) => ts.isInterfaceDeclaration(parent) && parent.name.text === 'String';
      return declarations.length > 0 && declarations.every(isOfString);
    },
    isAny(node: ts.Expression): boolean {
      const counterpart = findCounterpart(sourceFile, node);
      return counterpart !== null && (checker.getTypeAtLocation(counterpart).flags & ts.TypeFlags.Any) !== 0;
    },
    declarations(node: ts.Identifier): readonly ts.Declaration[] {
      const counterpart = findCounterpart(sourceFile, node);
      return (counterpart && checker.getSymbolAtLocation(counterpart)?.declarations) ?? [];
    },
  };
}

/** Finds the node of the same kind at the same position in the file of the checker; null if there is none. */
function findCounterpart(sourceFile: ts.SourceFile, node: ts.Node): ts.Expression | null {
  const start = node.getStart();
  let counterpart: ts.Node | null = null;
  const visit = (location: ts.Node): void => {
    if (counterpart || location.pos > start || location.end < node.end) return;
    if (location.kind === node.kind && location.end === node.end && location.getStart(sourceFile) === start) {
      counterpart = location;
      return;
    }
    ts.forEachChild(location, visit);
  };
  visit(sourceFile);
  return counterpart;
}

/**
 * True for `list[i]`, which may be undefined whatever its type says, and for an expression that may return such a
 * value.
 */
function readsIndex(node: ts.Node): boolean {
  if (ts.isElementAccessExpression(node)) return true;
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node))
    return readsIndex(node.expression);
  if (
    ts.isBinaryExpression(node) &&
    (node.operatorToken.kind === ts.SyntaxKind.BarBarToken ||
      node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken ||
      node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
  )
    return readsIndex(node.left) || readsIndex(node.right);
  return ts.isConditionalExpression(node) && (readsIndex(node.whenTrue) || readsIndex(node.whenFalse));
}
