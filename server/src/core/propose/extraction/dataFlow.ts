// Finds what goes in and out of a run of statements, and whether moving them could change what they do.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import { jumpsOut, leavesFunction } from './runEndings.ts';
import type { ExtractionCandidate, FunctionWithBody } from './extractionCandidates.ts';

/** The data flow of a run of statements. */
export interface Flow {
  /** Locals from outside the run that the run reads or writes: the parameters of the new function. */
  readonly inputs: readonly Input[];
  /**
   * The only local that the run declares or writes and that code outside reads; null if there is none. `declared`: the
   * run declares it.
   */
  readonly output: { readonly name: string; readonly declared: boolean } | null;
  readonly usesThis: boolean;
  readonly awaits: boolean;
  /**
   * The `return` statements in the run; null if there are none. `value`: some of them return a value. `leaves`: control
   * never passes the end of the run.
   */
  readonly returns: { readonly value: boolean; readonly leaves: boolean } | null;
}

/** A local from outside the run that the run mentions. */
export interface Input {
  readonly name: string;
  readonly symbol: ts.Symbol;
  /** The first mention of the local in the run. */
  readonly firstMention: ts.Identifier;
}

/** Maximum number of parameters of the new function, unless the caller allows more. */
const MAX_INPUTS = 4;

/** The mentions of each local, by its symbol. */
export type Locals = ReadonlyMap<ts.Symbol, readonly ts.Identifier[]>;

/**
 * The data flow of a cut, or the reason why the cut cannot move, as a sentence. It cannot if it jumps out, uses
 * something that belongs to its function (such as `arguments`), has more than `maxInputs` inputs or more than one
 * output, or if a copied value would not do: for variables that closures share, values written before an exception, and
 * names declared later. `locals`: the result of `collectLocals` for the place of the new function.
 */
export function analyseFlow(
  locals: Locals,
  outer: FunctionWithBody,
  cut: ExtractionCandidate,
  maxInputs = MAX_INPUTS,
): Flow | { readonly refused: string } {
  const [first, last] = [cut.statements[0], cut.statements.at(-1)];
  if (!first || !last) return { refused: 'It is empty.' };
  const forbidden = findJumpsAndKeywords(outer, cut);
  if (typeof forbidden === 'string') return { refused: forbidden };

  const run: Run = {
    outerFunction: outer,
    firstStatement: first,
    lastStatement: last,
    leaves: forbidden.returns?.leaves === true,
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
  if (output && forbidden.returns) return { refused: 'It returns and gives a value.' };
  return { inputs, output, usesThis: forbidden.usesThis, awaits: forbidden.awaits, returns: forbidden.returns };
}

/** The local whose value later code reads. */
type Output = NonNullable<Flow['output']>;

/** The statements that would move. */
interface Run {
  readonly outerFunction: FunctionWithBody;
  readonly firstStatement: ts.Statement;
  readonly lastStatement: ts.Statement;
  /** True if control never passes their end. */
  readonly leaves: boolean;
}

/**
 * The value that a local variable passes into or out of the run, or the reason why the run cannot be moved. Empty if it
 * does neither.
 */
type FlowOfLocal = { readonly input?: Input; readonly output?: Output } | { readonly refused: string };

function computeFlowOfLocal(symbol: ts.Symbol, references: readonly ts.Identifier[], run: Run): FlowOfLocal {
  const declaration = symbol.valueDeclaration;
  if (!declaration || !references.some((node) => isIn(run, node))) return {};
  return isIn(run, declaration)
    ? findOutput(symbol, references, declaration, run)
    : findFlow(symbol, references, declaration, run);
}

/** The flow of a local that the run declares. */
function findOutput(
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
  if (references.every((node) => isIn(run, node))) return {};
  if (isVar || !ts.isVariableDeclaration(declaration)) return { refused: `${name} is used outside too.` };
  if (isShared(symbol, references, declaration)) return { refused: `${name} is shared with a closure.` };
  return { output: { name, declared: true } };
}

/** The flow of a local that is declared outside the run. */
function findFlow(
  symbol: ts.Symbol,
  references: readonly ts.Identifier[],
  declaration: ts.Declaration,
  run: Run,
): FlowOfLocal {
  const { name } = symbol;
  if (declaration.pos >= run.lastStatement.end && !ts.isFunctionDeclaration(declaration))
    return { refused: `${name} is declared later.` };
  if (ts.isClassLike(declaration) || ts.isEnumDeclaration(declaration)) return { refused: `${name} is a local class.` };
  if (isShared(symbol, references, declaration)) return { refused: `${name} is shared with a closure.` };
  const mentionsInside = references.filter((node) => isIn(run, node));
  const input = { name, symbol, firstMention: mentionsInside[0]! };
  const isReadAfterwards = references.some((node) => !isIn(run, node) && node !== findName(declaration));
  if (!isReadAfterwards || !mentionsInside.some(isWritten)) return { input };
  const outlives = isVisibleAfterException(run.firstStatement, declaration, run.outerFunction);
  // Nothing reads the written value afterwards, except code around a `try`.
  if (run.leaves && !outlives) return { input };
  return outlives
    ? { refused: `${name} would lose what was written before an exception.` }
    : { input, output: { name, declared: false } };
}

/** True for a node of the run. */
function isIn({ firstStatement, lastStatement }: Run, node: ts.Node): boolean {
  return node.pos >= firstStatement.pos && node.end <= lastStatement.end;
}

/**
 * Mentions of every local of `outer` and of the functions between it and `scope`, which will contain the new function.
 */
export function collectLocals(checker: ts.TypeChecker, outer: FunctionWithBody, scope: ts.Node): Locals {
  let top: ts.Node = outer;
  for (let node: ts.Node = outer; node.parent && node !== scope; node = node.parent)
    if (ts.isFunctionLike(node)) top = node;
  const references = new Map<ts.Symbol, ts.Identifier[]>();
  for (const node of collectDescendants(top)) {
    if (!ts.isIdentifier(node)) continue;
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
    const declaration = symbol?.valueDeclaration;
    if (!symbol || !declaration || declaration.getSourceFile() !== outer.getSourceFile()) continue;
    if (declaration.pos < top.pos || declaration.end > top.end || !isLocal(declaration)) continue;
    references.set(symbol, [...(references.get(symbol) ?? []), node]);
  }
  return references;
}

/** True for the kinds of declarations that a function can have inside. */
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
 * True for a variable that is written after its declaration and that an inner function uses: a copy would become stale.
 */
function isShared(symbol: ts.Symbol, references: readonly ts.Identifier[], declaration: ts.Declaration): boolean {
  if (ts.isFunctionDeclaration(declaration)) return false;
  const home = findFunctionAround(declaration);
  const isRewritten = references.some((node) => isWritten(node)) || (symbol.declarations?.length ?? 0) > 1;
  return isRewritten && references.some((node) => findFunctionAround(node) !== home);
}

/**
 * True if this mention of a variable assigns to it (also by destructuring, or as the target of `for … of` or
 * `for … in`), increments it or decrements it. A declaration is not a write.
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
    else if (
      ts.isBinaryExpression(parent) &&
      parent.left === target &&
      parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
      parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment
    )
      return true;
    else if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
      return parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken;
    else return (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) && parent.initializer === target;
  }
}

/** The return values and the keywords of the run; if these keep it from moving, the reason as a sentence. */
function findJumpsAndKeywords(
  outer: FunctionWithBody,
  cut: ExtractionCandidate,
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
    const rebinds = ts.isFunctionLike(node) && !ts.isArrowFunction(node);
    if (rebinds || ts.isClassLike(node)) {
      if (collectDescendants(node).some((inner) => ts.isIdentifier(inner) && inner.text === 'eval'))
        reason ??= 'It uses eval.';
      return;
    }
    ts.forEachChild(node, (child) => visit(child, isOwnFunction && !ts.isFunctionLike(node)));
  };
  for (const statement of cut.statements) {
    if (ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression)) return 'It holds a directive.';
    visit(statement, true);
  }
  if (reason) return reason;
  if (cut.statements.some((statement) => jumpsOut(statement))) return 'It jumps out.';
  const leaves = leavesFunction(cut.statements);
  if (returns && !leaves && outer.body.statements.at(-1) !== cut.statements.at(-1)) return 'It returns before the end.';
  if (returns && ts.isConstructorDeclaration(outer)) return 'It returns from a constructor.';
  if (returns && 'asteriskToken' in outer && outer.asteriskToken) return 'It returns from a generator.';
  if (awaits && !isAsync(outer)) return 'It waits outside an async function.';
  if (awaits && value && isInsideTry(cut.statements[0]!, outer))
    return 'The try around it would see errors of promises that it returns.';
  return { returns: returns ? { value, leaves } : null, usesThis, awaits };
}

function isAsync(outer: FunctionWithBody): boolean {
  return (
    ts.canHaveModifiers(outer) &&
    (ts.getModifiers(outer)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false)
  );
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
 * True if `node` is a `try` or is inside of one that does not contain the declaration: after an exception, code outside
 * of the `try` or in its `catch` sees what was written.
 */
function isVisibleAfterException(node: ts.Node, declaration: ts.Node, outer: ts.Node): boolean {
  for (let ancestor = node; ancestor !== outer && ancestor.parent; ancestor = ancestor.parent)
    if (ts.isTryStatement(ancestor) && (declaration.pos < ancestor.pos || declaration.end > ancestor.end)) return true;
  return false;
}

/** True if a `try` of the function contains the node. */
function isInsideTry(node: ts.Node, outer: ts.Node): boolean {
  for (let ancestor = node.parent; ancestor !== outer; ancestor = ancestor.parent)
    if (ts.isTryStatement(ancestor)) return true;
  return false;
}

function findName(declaration: ts.Declaration): ts.Node | undefined {
  return (declaration as ts.NamedDeclaration).name;
}
