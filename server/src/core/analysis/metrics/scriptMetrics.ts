// One walk over a TypeScript or JavaScript syntax tree that measures every function and hands each node to the rules.

import { ts } from 'ts-morph';
import { COGNITIVE_LIMIT, type FlowSums, type FunctionKind, type FunctionUnit } from '../functionUnit.ts';
import { mergeTokens } from './halstead.ts';
import { newFrame, unitOf, type Frame } from './scriptFrame.ts';
import { functionKindOf, isAssignmentDefault, isBareJump, isCalledOnTheSpot, isDepthBlock, isElseIf, isFieldInitialiser, isInertStatement, isLogical, isNestedPart, isWork, logicalOperatorsOf, skipParentheses } from './scriptNodes.ts';
import { countScriptTokens } from './scriptTokens.ts';

const K = ts.SyntaxKind;

/** What has to be undone when the walk leaves a node. */
const LEAVE_FRAME = 1;
const LEAVE_NESTED = 2;
const LEAVE_DEPTH = 4;
const LEAVE_TYPE = 8;
const LEAVE_DEAD = 16;
const LEAVE_TWO_FRAMES = 32;

type Step = { readonly node: ts.Node; readonly leave: number; readonly open: FunctionKind | null };

export interface ScriptWalk {
  readonly units: readonly FunctionUnit[];
  readonly flow: FlowSums;
}

/**
 * Cyclomatic complexity as ESLint's `complexity` (classic), cognitive complexity as SonarJS' S3776 (a function's own,
 * without the functions inside it; `&&` sequences only), nesting as ESLint's `max-depth` with braceless bodies counted.
 * One known difference: behind a function that is a branch of `?:`, SonarJS keeps counting one level too deep; this does not.
 * `dead` holds end → start of declarations that nothing uses: they are left out of `flow`. `visit` is called once a node.
 */
export function walkScript(sourceFile: ts.SourceFile, dead: ReadonlyMap<number, number>, visit: (node: ts.Node, inDead: boolean) => void): ScriptWalk {
  const units: FunctionUnit[] = [];
  const flow: FlowSums = { statements: 0, excess: 0, cognitive: 0, depth: 0 };
  const frames: Frame[] = [];
  const counted = new Set<ts.Node>();
  const children: ts.Node[] = [];
  const steps: Step[] = [{ node: sourceFile, leave: 0, open: null }];
  let nested = 0;
  let inType = 0;
  let inDead = 0;

  for (let step = steps.pop(); step; step = steps.pop()) {
    if (step.leave) leave(step.leave);
    else if (step.open) openFrame(step.node, step.open);
    else enter(step.node);
  }
  return { units, flow };

  function enter(node: ts.Node): void {
    let undo = 0;
    if (dead.size > 0 && isDeclaredDead(node)) {
      inDead++;
      undo |= LEAVE_DEAD;
    }
    visit(node, inDead > 0);
    if (isNestedPart(node)) {
      nested++;
      const frame = frames.at(-1);
      if (frame) frame.nested++;
      undo |= LEAVE_NESTED;
    }
    if (ts.isTypeNode(node) && node.kind !== K.ExpressionWithTypeArguments) {
      inType++;
      undo |= LEAVE_TYPE;
    }
    const field = isFieldInitialiser(node);
    if (field) {
      openFrame(node, 'fieldInitialiser');
      undo |= LEAVE_FRAME;
    }
    const kind = functionKindOf(node);
    if (kind) undo |= field ? LEAVE_TWO_FRAMES : LEAVE_FRAME;
    else measure(node);
    if (isDepthBlock(node)) {
      deepen(node);
      undo |= LEAVE_DEPTH;
    }
    if (undo) steps.push({ node, leave: undo, open: null });
    pushChildren(node, kind);
  }

  /** Decorators and computed names run outside the function, so they come before its frame opens. */
  function pushChildren(node: ts.Node, kind: FunctionKind | null): void {
    children.length = 0;
    ts.forEachChild(node, (child) => {
      children.push(child);
    });
    if (!kind) {
      for (let index = children.length - 1; index >= 0; index--) steps.push({ node: children[index]!, leave: 0, open: null });
      return;
    }
    const outside = children.filter((child) => child.kind === K.Decorator || child.kind === K.ComputedPropertyName);
    const inside = children.filter((child) => child.kind !== K.Decorator && child.kind !== K.ComputedPropertyName);
    for (const child of inside.reverse()) steps.push({ node: child, leave: 0, open: null });
    if (outside.length === 0) {
      openFrame(node, kind);
      return;
    }
    steps.push({ node, leave: 0, open: kind });
    for (const child of outside.reverse()) steps.push({ node: child, leave: 0, open: null });
  }

  function openFrame(node: ts.Node, kind: FunctionKind): void {
    const outer = frames.at(-1);
    if (kind === 'function' && outer) outer.statements++;
    const frame = newFrame(node, kind);
    frames.push(frame);
    countScriptTokens(frame.tokens, node);
    if (kind === 'arrow' && (node as ts.ArrowFunction).body.kind !== K.Block) {
      frame.statements++;
      if (inDead === 0) flow.depth += nested;
    }
  }

  function leave(undo: number): void {
    if (undo & LEAVE_TWO_FRAMES) closeFrame();
    if (undo & LEAVE_FRAME) closeFrame();
    const frame = frames.at(-1);
    if (undo & LEAVE_DEPTH && frame) frame.depth--;
    if (undo & LEAVE_TYPE) inType--;
    if (undo & LEAVE_NESTED) {
      nested--;
      if (frame) frame.nested--;
    }
    if (undo & LEAVE_DEAD) inDead--;
  }

  function closeFrame(): void {
    const frame = frames.pop();
    if (!frame) return;
    const outer = frames.at(-1);
    const inlined = outer !== undefined && isCalledOnTheSpot(frame.node);
    if (outer) mergeTokens(outer.tokens, frame.tokens);
    if (outer && (frame.kind === 'staticBlock' || frame.kind === 'fieldInitialiser')) {
      outer.cognitive += frame.cognitive + frame.structural * outer.nested;
      outer.effective += frame.effective + frame.structural * outer.nested;
      outer.structural += frame.structural;
    } else if (inlined) {
      outer.effective += frame.effective + frame.structural * outer.nested;
      outer.structural += frame.structural;
    } else if (inDead === 0) {
      flow.excess += Math.max(0, frame.effective - COGNITIVE_LIMIT);
    }
    units.push(unitOf(frame, sourceFile));
  }

  function measure(node: ts.Node): void {
    const frame = frames.at(-1);
    if (frame && inType === 0) countScriptTokens(frame.tokens, node);
    switch (node.kind) {
      case K.IfStatement: {
        if (isElseIf(node)) flat();
        else structural();
        const otherwise = (node as ts.IfStatement).elseStatement;
        if (otherwise && otherwise.kind !== K.IfStatement) flat();
        branch();
        break;
      }
      case K.ForStatement:
      case K.ForInStatement:
      case K.ForOfStatement:
      case K.WhileStatement:
      case K.DoStatement:
      case K.CatchClause:
      case K.ConditionalExpression:
        structural();
        branch();
        break;
      case K.SwitchStatement:
        structural();
        break;
      case K.CaseClause:
        branch();
        break;
      case K.BreakStatement:
      case K.ContinueStatement:
        if ((node as ts.BreakStatement).label) flat();
        break;
      case K.Parameter:
      case K.BindingElement:
        if ((node as ts.ParameterDeclaration).initializer) branch();
        break;
      case K.ShorthandPropertyAssignment:
        if ((node as ts.ShorthandPropertyAssignment).objectAssignmentInitializer) branch();
        break;
      case K.PropertyAccessExpression:
      case K.ElementAccessExpression:
      case K.CallExpression:
        if ((node as ts.PropertyAccessExpression).questionDotToken) branch();
        break;
      case K.BinaryExpression:
        measureBinary(node as ts.BinaryExpression);
        break;
      default:
    }
    if (node.kind >= K.FirstStatement && node.kind <= K.LastStatement) countStatement(node);
    else if (node.kind === K.ClassDeclaration || node.kind === K.InterfaceDeclaration || node.kind === K.TypeAliasDeclaration || node.kind === K.EnumDeclaration || node.kind === K.ExportAssignment) countStatement(node);
  }

  function measureBinary(node: ts.BinaryExpression): void {
    const operator = node.operatorToken.kind;
    if (isLogical(node)) {
      branch();
      if (!counted.has(node)) countSequences(node);
    } else if (operator === K.AmpersandAmpersandEqualsToken || operator === K.BarBarEqualsToken || operator === K.QuestionQuestionEqualsToken) {
      branch();
    } else if (operator === K.EqualsToken && isAssignmentDefault(node)) {
      branch();
    }
  }

  function countSequences(root: ts.BinaryExpression): void {
    const operators = logicalOperatorsOf(root);
    for (const one of operators) counted.add(one);
    if (root.parent.kind === K.JsxExpression && operators.every((one) => one.operatorToken.kind === root.operatorToken.kind)) return;
    let previous: ts.SyntaxKind | null = null;
    for (const one of operators) {
      const operator = one.operatorToken.kind;
      if (operator === K.AmpersandAmpersandToken && previous !== operator) flat();
      previous = operator;
    }
  }

  function branch(): void {
    const frame = frames.at(-1);
    if (frame) frame.cyclomatic++;
  }

  function flat(): void {
    const frame = frames.at(-1);
    if (frame) {
      frame.cognitive++;
      frame.effective++;
    }
    if (inDead === 0) flow.cognitive++;
  }

  function structural(): void {
    const frame = frames.at(-1);
    if (frame) {
      frame.cognitive += 1 + frame.nested;
      frame.effective += 1 + frame.nested;
      frame.structural++;
    }
    if (inDead === 0) flow.cognitive += 1 + nested;
  }

  function countStatement(node: ts.Node): void {
    const frame = frames.at(-1);
    if (node.kind === K.EmptyStatement) return;
    if (frame) frame.statements++;
    if (inDead > 0 || isInertStatement(node)) return;
    if (isBareJump(node)) return;
    if (isWork(node)) flow.statements++;
    flow.depth += nested;
    if (node.kind !== K.ExpressionStatement) return;
    // `ok && run();` is an `if` in disguise and is counted like one, with a body one level deeper.
    const expression = skipParentheses((node as ts.ExpressionStatement).expression);
    if (isLogical(expression)) flow.cognitive += 1 + nested;
    if (isLogical(expression) || expression.kind === K.ConditionalExpression) flow.depth += nested + 1;
  }

  function deepen(node: ts.Node): void {
    const frame = frames.at(-1);
    if (!frame) return;
    frame.depth++;
    if (frame.depth <= frame.deepestDepth) return;
    frame.deepestDepth = frame.depth;
    frame.deepest = node.getStart(sourceFile);
  }

  function isDeclaredDead(node: ts.Node): boolean {
    const start = dead.get(node.end);
    return start !== undefined && start === node.getStart(sourceFile);
  }
}
