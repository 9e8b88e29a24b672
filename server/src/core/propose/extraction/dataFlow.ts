// Finds which values go into and out of a run of statements, and whether moving the run into a function could change
// its behaviour.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import { jumpsOut, leavesFunction } from './runEndings.ts';
import type { ExtractionCandidate, FunctionWithBody } from './extractionCandidates.ts';
import { isAsync } from '../../syntax/declarations/modifiers.ts';
import { isAssignment } from '../../syntax/values.ts';

/** The values that go into and out of a run of statements, and the jumps and keywords in it. */
export interface Flow {
  /** Locals from outside the run that the run reads or writes: the parameters of the new function. */
  readonly inputs: readonly Input[];
  /**
   * The only local that the run declares or writes and that code outside the run reads; null if there is none.
   * `declared`: true if the run declares it.
   */
  readonly output: { readonly name: string; readonly declared: boolean } | null;
  readonly usesThis: boolean;
  readonly awaits: boolean;
  /**
   * Describes the `return` statements in the run; null if there are none. `value`: true if one of them returns a value.
   * `leaves`: true if control never passes the end of the run.
   */
  readonly returns: { readonly value: boolean; readonly leaves: boolean } | null;
}

/** A local from outside the run that the run refers to. */
export interface Input {
  readonly name: string;
  readonly symbol: ts.Symbol;
  /** The first reference to the local in the run. */
  readonly firstReference: ts.Identifier;
}

/** Maximum number of parameters of the new function, unless the caller allows more. */
const MAX_INPUTS = 4;

/** The references to each local, by its symbol. */
export type Locals = ReadonlyMap<ts.Symbol, readonly ts.Identifier[]>;

/**
 * Analyses the data flow of a candidate, or refuses with a sentence if its statements cannot move. They cannot move if
 * they are empty, jump out, use something that belongs to their function (such as `arguments`), have more than
 * `maxInputs` inputs or more than one output, or must share variables with the function instead of copying them:
 * variables that closures use, values that must survive an exception, and names that are declared later. `locals`: the
 * result of `collectLocals` for the place of the new function.
 */
export function analyseFlow(
  locals: Locals,
  outerFunction: FunctionWithBody,
  candidate: ExtractionCandidate,
  maxInputs = MAX_INPUTS,
): Flow | { readonly refused: string } {
  const [firstStatement, lastStatement] = [candidate.statements[0], candidate.statements.at(-1)];
  if (!firstStatement || !lastStatement) return { refused: 'It is empty.' };
  const jumpsAndKeywords = findJumpsAndKeywords(outerFunction, candidate);
  if (typeof jumpsAndKeywords === 'string') return { refused: jumpsAndKeywords };

  const run: Run = {
    outerFunction: outerFunction,
    firstStatement: firstStatement,
    lastStatement: lastStatement,
    leaves: jumpsAndKeywords.returns?.leaves === true,
  };
  const inputs: Input[] = [];
  const outputs: Output[] = [];
  for (const [symbol, references] of locals) {
    const flow = computeFlowOfLocal(symbol, references, run);
    if ('refused' in flow) return flow;
    if (flow.input) inputs.push(flow.input);
    if (flow.output) outputs.push(flow.output);
  }
  if (inputs.length > maxInputs) return { refused: `It needs ${inputs.length} parameters.` };
  if (outputs.length > 1) return { refused: 'It gives more than one value.' };
  const [output = null] = outputs;
  if (output && jumpsAndKeywords.returns) return { refused: 'It returns and gives a value.' };
  return {
    inputs,
    output,
    usesThis: jumpsAndKeywords.usesThis,
    awaits: jumpsAndKeywords.awaits,
    returns: jumpsAndKeywords.returns,
  };
}

/** The local whose value is read by code outside the run. */
type Output = NonNullable<Flow['output']>;

/** The statements that would move. */
interface Run {
  readonly outerFunction: FunctionWithBody;
  readonly firstStatement: ts.Statement;
  readonly lastStatement: ts.Statement;
  /** True if control never passes the end of the run. */
  readonly leaves: boolean;
}

/**
 * The value that a local passes into or out of the run, or the reason why the run cannot move. Empty if the local
 * passes no value.
 */
type FlowOfLocal = { readonly input?: Input; readonly output?: Output } | { readonly refused: string };

/** Computes the flow of a local, wherever it is declared. Empty if the run does not refer to it. */
function computeFlowOfLocal(symbol: ts.Symbol, references: readonly ts.Identifier[], run: Run): FlowOfLocal {
  const declaration = symbol.valueDeclaration;
  if (!declaration || !references.some((node) => isInRun(run, node))) return {};
  return isInRun(run, declaration)
    ? computeFlowOfInnerLocal(symbol, references, declaration, run)
    : computeFlowOfOuterLocal(symbol, references, declaration, run);
}

/** Computes the flow of a local that the run declares. */
function computeFlowOfInnerLocal(
  symbol: ts.Symbol,
  references: readonly ts.Identifier[],
  declaration: ts.Declaration,
  run: Run,
): FlowOfLocal {
  const { name } = symbol;
  const isVar =
    ts.isVariableDeclaration(declaration) && (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.BlockScoped) === 0;
  if (isVar && !declaration.initializer && isInsideLoop(declaration, run.outerFunction))
    return { refused: `${name} keeps its value from one turn to the next.` };
  if (references.every((node) => isInRun(run, node))) return {};
  if (isVar || !ts.isVariableDeclaration(declaration)) return { refused: `${name} is used outside too.` };
  if (isSharedWithClosure(symbol, references, declaration)) return { refused: `${name} is shared with a closure.` };
  return { output: { name, declared: true } };
}

/** Computes the flow of a local that is declared outside the run. */
function computeFlowOfOuterLocal(
  symbol: ts.Symbol,
  references: readonly ts.Identifier[],
  declaration: ts.Declaration,
  run: Run,
): FlowOfLocal {
  const { name } = symbol;
  if (declaration.pos >= run.lastStatement.end && !ts.isFunctionDeclaration(declaration))
    return { refused: `${name} is declared later.` };
  if (ts.isClassLike(declaration) || ts.isEnumDeclaration(declaration)) return { refused: `${name} is a local class.` };
  if (isSharedWithClosure(symbol, references, declaration)) return { refused: `${name} is shared with a closure.` };
  const referencesInside = references.filter((node) => isInRun(run, node));
  const input = { name, symbol, firstReference: referencesInside[0]! };
  const isReadAfterwards = references.some((node) => !isInRun(run, node) && node !== findDeclaredName(declaration));
  if (!isReadAfterwards || !referencesInside.some(isWritten)) return { input };
  const isVisibleLater = isVisibleAfterException(run.firstStatement, declaration, run.outerFunction);
  // Control never passes the end of the run, so only code around an enclosing `try` could read the written value.
  if (run.leaves && !isVisibleLater) return { input };
  return isVisibleLater
    ? { refused: `${name} would lose what was written before an exception.` }
    : { input, output: { name, declared: false } };
}

/** True if the run contains the node. */
function isInRun({ firstStatement, lastStatement }: Run, node: ts.Node): boolean {
  return node.pos >= firstStatement.pos && node.end <= lastStatement.end;
}

/**
 * Collects the references to every local of `outerFunction` and of the functions between it and `scope`. `scope`: the
 * node that will contain the new function.
 */
export function collectLocals(checker: ts.TypeChecker, outerFunction: FunctionWithBody, scope: ts.Node): Locals {
  let outermostFunction: ts.Node = outerFunction;
  for (let node: ts.Node = outerFunction; node.parent && node !== scope; node = node.parent)
    if (ts.isFunctionLike(node)) outermostFunction = node;
  const references = new Map<ts.Symbol, ts.Identifier[]>();
  for (const node of collectDescendants(outermostFunction)) {
    if (!ts.isIdentifier(node)) continue;
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
    const declaration = symbol?.valueDeclaration;
    if (!symbol || !declaration || declaration.getSourceFile() !== outerFunction.getSourceFile()) continue;
    if (declaration.pos < outermostFunction.pos || declaration.end > outermostFunction.end || !isLocal(declaration))
      continue;
    references.set(symbol, [...(references.get(symbol) ?? []), node]);
  }
  return references;
}

/** True for a kind of declaration that can be local to a function. */
function isLocal(declaration: ts.Declaration): boolean {
  return (
    ts.isVariableDeclaration(declaration) ||
    ts.isBindingElement(declaration) ||
    ts.isParameter(declaration) ||
    ts.isFunctionDeclaration(declaration) ||
    ts.isClassLike(declaration) ||
    ts.isEnumDeclaration(declaration)
  );
}

/**
 * True for a variable that is written after its declaration and used by an inner function, because a copy of it would
 * become stale.
 */
function isSharedWithClosure(
  symbol: ts.Symbol,
  references: readonly ts.Identifier[],
  declaration: ts.Declaration,
): boolean {
  if (ts.isFunctionDeclaration(declaration)) return false;
  const declaringFunction = findFunctionAround(declaration);
  const isRewritten = references.some((node) => isWritten(node)) || (symbol.declarations?.length ?? 0) > 1;
  return isRewritten && references.some((node) => findFunctionAround(node) !== declaringFunction);
}

/**
 * True if this reference to a variable assigns to it (also by destructuring, or as the target of `for … of` or `for …
 * in`), increments it or decrements it. A declaration is not a write.
 */
export function isWritten(node: ts.Identifier): boolean {
  let target: ts.Node = node;
  for (;;) {
    const { parent }: ts.Node = target;
    if (
      ts.isParenthesizedExpression(parent) ||
      ts.isNonNullExpression(parent) ||
      ts.isAsExpression(parent) ||
      ts.isSatisfiesExpression(parent)
    )
      target = parent;
    else if (
      ts.isArrayLiteralExpression(parent) ||
      ts.isSpreadElement(parent) ||
      ts.isObjectLiteralExpression(parent) ||
      ts.isSpreadAssignment(parent)
    )
      target = parent;
    else if (ts.isPropertyAssignment(parent) && parent.initializer === target) target = parent;
    else if (ts.isShorthandPropertyAssignment(parent) && parent.name === target) target = parent;
    else if (ts.isBinaryExpression(parent) && parent.left === target && isAssignment(parent)) return true;
    else if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
      return parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken;
    else return (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) && parent.initializer === target;
  }
}

/**
 * Finds the `return` statements and the keywords of the run; returns a sentence with the reason if they keep it from
 * moving.
 */
function findJumpsAndKeywords(
  outerFunction: FunctionWithBody,
  candidate: ExtractionCandidate,
): string | Pick<Flow, 'returns' | 'usesThis' | 'awaits'> {
  let [returns, value, usesThis, awaits, reason]: [boolean, boolean, boolean, boolean, string | null] = [
    false,
    false,
    false,
    false,
    null,
  ];
  const visit = (node: ts.Node, isOwnFunction: boolean): void => {
    if (node.kind === ts.SyntaxKind.SuperKeyword || ts.isYieldExpression(node) || ts.isMetaProperty(node))
      reason ??= 'It uses super, yield or new.target.';
    if (ts.isIdentifier(node) && node.text === 'arguments') reason ??= 'It uses arguments.';
    if (ts.isIdentifier(node) && node.text === 'eval') reason ??= 'It uses eval.';
    if (node.kind === ts.SyntaxKind.ThisKeyword || node.kind === ts.SyntaxKind.ThisType) usesThis = true;
    if (ts.isReturnStatement(node) && isOwnFunction) [returns, value] = [true, value || node.expression !== undefined];
    if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) awaits ||= isOwnFunction;
    if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.Using) === ts.NodeFlags.Using)
      reason ??= 'Leaving it would dispose of something.';
    if ((ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) && isOwnFunction)
      reason ??= 'It declares a type.';
    const rebindsThis = ts.isFunctionLike(node) && !ts.isArrowFunction(node);
    if (rebindsThis || ts.isClassLike(node)) {
      if (collectDescendants(node).some((inner) => ts.isIdentifier(inner) && inner.text === 'eval'))
        reason ??= 'It uses eval.';
      return;
    }
    ts.forEachChild(node, (child) => visit(child, isOwnFunction && !ts.isFunctionLike(node)));
  };
  for (const statement of candidate.statements) {
    if (ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression)) return 'It holds a directive.';
    visit(statement, true);
  }
  if (reason) return reason;
  if (candidate.statements.some((statement) => jumpsOut(statement))) return 'It jumps out.';
  const leaves = leavesFunction(candidate.statements);
  if (returns && !leaves && outerFunction.body.statements.at(-1) !== candidate.statements.at(-1))
    return 'It returns before the end.';
  if (returns && ts.isConstructorDeclaration(outerFunction)) return 'It returns from a constructor.';
  if (returns && 'asteriskToken' in outerFunction && outerFunction.asteriskToken) return 'It returns from a generator.';
  if (awaits && !isAsync(outerFunction)) return 'It waits outside an async function.';
  if (awaits && value && isInsideTry(candidate.statements[0]!, outerFunction))
    return 'The try around it would see errors of promises that it returns.';
  return { returns: returns ? { value, leaves } : null, usesThis, awaits };
}

/** The innermost function, class field or static block around a node; null at the top level. */
function findFunctionAround(node: ts.Node): ts.Node | null {
  let ancestor: ts.Node | undefined = node.parent;
  while (
    ancestor &&
    !ts.isFunctionLike(ancestor) &&
    !ts.isPropertyDeclaration(ancestor) &&
    !ts.isClassStaticBlockDeclaration(ancestor)
  )
    ancestor = ancestor.parent;
  return ancestor ?? null;
}

function isInsideLoop(node: ts.Node, outer: ts.Node): boolean {
  for (let ancestor = node.parent; ancestor && ancestor !== outer; ancestor = ancestor.parent)
    if (ts.isIterationStatement(ancestor, false)) return true;
  return false;
}

/**
 * True if `node` is a `try` or is inside one that does not contain the declaration. After an exception, code outside
 * the `try` or in its `catch` can read the written value.
 */
function isVisibleAfterException(node: ts.Node, declaration: ts.Node, outer: ts.Node): boolean {
  for (let ancestor = node; ancestor !== outer && ancestor.parent; ancestor = ancestor.parent)
    if (ts.isTryStatement(ancestor) && (declaration.pos < ancestor.pos || declaration.end > ancestor.end)) return true;
  return false;
}

/** True if a `try` inside the function `outer` contains the node. */
function isInsideTry(node: ts.Node, outer: ts.Node): boolean {
  for (let ancestor = node.parent; ancestor !== outer; ancestor = ancestor.parent)
    if (ts.isTryStatement(ancestor)) return true;
  return false;
}

function findDeclaredName(declaration: ts.Declaration): ts.Node | undefined {
  return (declaration as ts.NamedDeclaration).name;
}
