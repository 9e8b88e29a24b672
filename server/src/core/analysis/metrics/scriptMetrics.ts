// Walks once over a TypeScript or JavaScript syntax tree, measures every function, and passes each node to the rules.

import { ts } from 'ts-morph';
import { COGNITIVE_LIMIT, type FlowCounts, type FunctionKind, type FunctionUnit } from '../functionUnit.ts';
import { mergeTokens } from './halstead.ts';
import { createFrame, createFunctionUnit, type Frame, type Point } from './scriptFrame.ts';
import { isLogical, isNestedPart, skipParentheses } from '../../syntax/controlFlow.ts';
import {
  findFunctionKind,
  isBareJump,
  isImmediatelyCalled,
  isDepthBlock,
  isFieldInitialiser,
  isInertStatement,
  isLoopCallback,
  isWork,
  splitStatement,
} from './scriptNodes.ts';
import {
  addNodePoints,
  NESTED_POINTS,
  NO_POINTS,
  type CognitivePoints,
  type Construct,
} from '../../syntax/complexityPoints.ts';
import { countScriptTokens } from './scriptTokens.ts';

const SyntaxKind = ts.SyntaxKind;

/**
 * Action on leaving a node: close the frame of a function. The `LEAVE_…` actions are bits, because a node may need
 * several.
 */
const LEAVE_FRAME = 1;
/** Action on leaving a node: end a level of nesting, as cognitive complexity counts it. */
const LEAVE_NESTED = 2;
/** Action on leaving a node: end a level of nesting, as `max-depth` counts it. */
const LEAVE_DEPTH = 4;
/** Action on leaving a node: end a type. */
const LEAVE_TYPE = 8;
/** Action on leaving a node: end dead code. */
const LEAVE_DEAD = 16;
/** Action on leaving a node: close two frames, of the function and of the field that it initialises. */
const LEAVE_TWO_FRAMES = 32;
/** Action on leaving a node: end a callback that loops. */
const LEAVE_LOOP = 64;

/**
 * A deferred step of the walk, such as leaving a node after its children. A node on the stack is still to be entered.
 */
class Step {
  readonly node: ts.Node;
  /** The actions on leaving `node`: a sum of `LEAVE_…`. */
  readonly leave: number;
  /**
   * The kind of the function `node`, whose frame this step opens after the code that runs outside of the function was
   * walked; null for a step that leaves a node.
   */
  readonly openedKind: FunctionKind | null;

  constructor(node: ts.Node, leave: number, openedKind: FunctionKind | null) {
    this.node = node;
    this.leave = leave;
    this.openedKind = openedKind;
  }
}

/** The result of the walk through a file. */
export interface ScriptWalk {
  /** Inner functions before outer ones. The last unit is the top level, if the file has statements there. */
  readonly units: readonly FunctionUnit[];
  readonly flow: FlowCounts;
  /** The points of complexity of each function; empty unless requested. */
  readonly points: ReadonlyMap<FunctionUnit, readonly Point[]>;
}

/**
 * Measures a script in the same way as established tools. Cyclomatic complexity: ESLint's `complexity` (classic).
 * Cognitive complexity: SonarJS' S3776 (that of the function alone, without inner functions; only sequences of `&&`).
 * Nesting: ESLint's `max-depth`, with bodies without braces counted. There is one known difference: after a function
 * that is a branch of `?:`, SonarJS continues to count one level too deep, and this walk does not. Code outside of
 * functions is a unit of its own, whose excess does not count. `deadRanges` maps the end of each unused declaration to
 * its start; unused declarations do not count in `flow`. `visit` is called once for each node. `isTraced`: true to
 * record the points of complexity, too. If `countsTokens` is false, Halstead's measures, and the maintainability that
 * depends on them, mean nothing. `isBrief`: true to walk without tokens and without `flow`, and to skip names and
 * punctuation in `visit`; then the nodes need not know their parents yet, because the walk sets them.
 */
export function walkScript(
  sourceFile: ts.SourceFile,
  deadRanges: ReadonlyMap<number, number>,
  visit: (node: ts.Node, isInDead: boolean) => void,
  {
    traced: isTraced = false,
    brief: isBrief = false,
    tokens: countsTokens = !isBrief,
  }: { readonly traced?: boolean; readonly brief?: boolean; readonly tokens?: boolean } = {},
): ScriptWalk {
  const units: FunctionUnit[] = [];
  const flow: FlowCounts = { statements: 0, excess: 0, cognitive: 0, depth: 0 };
  const points = new Map<FunctionUnit, readonly Point[]>();
  const frames: Frame[] = [createFrame(sourceFile, 'topLevel', isTraced)];
  const children: ts.Node[] = [];
  const steps: (ts.Node | Step)[] = [sourceFile];
  const collect = (child: ts.Node): void => {
    children.push(child);
  };
  const collectAndSetParent = (child: ts.Node): void => {
    (child as { parent: ts.Node }).parent = entered;
    // Names, literals and punctuation, half of all nodes, have no effect themselves, unless a field starts with one.
    if (child.kind > SyntaxKind.LastToken || entered.kind === SyntaxKind.PropertyDeclaration) children.push(child);
  };
  let entered: ts.Node = sourceFile;
  let nestingLevel = 0;
  let typeLevel = 0;
  let deadLevel = 0;

  for (let step = steps.pop(); step; step = steps.pop()) {
    if (!(step instanceof Step)) enter(step);
    else if (step.openedKind) openFrame(step.node, step.openedKind);
    else leave(step.leave);
  }
  if (sourceFile.statements.length > 0) closeFrame();
  return { units, flow, points };

  function enter(node: ts.Node): void {
    let leaveActions = 0;
    if (deadRanges.size > 0 && isDeclaredDead(node)) {
      deadLevel++;
      leaveActions |= LEAVE_DEAD;
    }
    visit(node, deadLevel > 0);
    if (isNestedPart(node)) {
      nestingLevel++;
      const frame = frames.at(-1);
      if (frame) frame.nested++;
      leaveActions |= LEAVE_NESTED;
    }
    if (ts.isTypeNode(node) && node.kind !== SyntaxKind.ExpressionWithTypeArguments) {
      typeLevel++;
      leaveActions |= LEAVE_TYPE;
    }
    if (!isBrief && isLoopCallback(node)) {
      // A call that loops: the ruler counts it like a loop, but the figures of the function do not.
      if (deadLevel === 0) flow.cognitive += 1 + nestingLevel;
      nestingLevel++;
      leaveActions |= LEAVE_LOOP;
    }
    const isField = isFieldInitialiser(node);
    if (isField) {
      openFrame(node, 'fieldInitialiser');
      leaveActions |= LEAVE_FRAME;
    }
    const kind = findFunctionKind(node);
    if (kind) leaveActions |= isField ? LEAVE_TWO_FRAMES : LEAVE_FRAME;
    else measure(node);
    if (isDepthBlock(node)) {
      enterDepthBlock(node);
      leaveActions |= LEAVE_DEPTH;
    }
    if (leaveActions) steps.push(new Step(node, leaveActions, null));
    pushChildren(node, kind);
  }

  /** Decorators and computed names run outside the function, so they are walked before its frame opens. */
  function pushChildren(node: ts.Node, kind: FunctionKind | null): void {
    children.length = 0;
    entered = node;
    ts.forEachChild(node, isBrief ? collectAndSetParent : collect);
    if (!kind) {
      for (let index = children.length - 1; index >= 0; index--) steps.push(children[index]!);
      return;
    }
    const outerNodes = children.filter(
      (child) => child.kind === SyntaxKind.Decorator || child.kind === SyntaxKind.ComputedPropertyName,
    );
    const innerNodes = children.filter(
      (child) => child.kind !== SyntaxKind.Decorator && child.kind !== SyntaxKind.ComputedPropertyName,
    );
    for (const child of innerNodes.reverse()) steps.push(child);
    if (outerNodes.length === 0) {
      openFrame(node, kind);
      return;
    }
    steps.push(new Step(node, 0, kind));
    for (const child of outerNodes.reverse()) steps.push(child);
  }

  function openFrame(node: ts.Node, kind: FunctionKind): void {
    const outer = frames.at(-1);
    if (kind === 'function' && outer) outer.statements++;
    const frame = createFrame(node, kind, isTraced);
    frames.push(frame);
    if (countsTokens) countScriptTokens(frame.tokens, node);
    if (kind === 'arrow' && (node as ts.ArrowFunction).body.kind !== SyntaxKind.Block) {
      frame.statements++;
      if (deadLevel === 0) flow.depth += nestingLevel;
    }
  }

  function leave(leaveActions: number): void {
    if (leaveActions & LEAVE_TWO_FRAMES) closeFrame();
    if (leaveActions & LEAVE_FRAME) closeFrame();
    const frame = frames.at(-1);
    if (leaveActions & LEAVE_DEPTH && frame) frame.depth--;
    if (leaveActions & LEAVE_TYPE) typeLevel--;
    if (leaveActions & LEAVE_NESTED) {
      nestingLevel--;
      if (frame) frame.nested--;
    }
    if (leaveActions & LEAVE_LOOP) nestingLevel--;
    if (leaveActions & LEAVE_DEAD) deadLevel--;
  }

  function closeFrame(): void {
    const frame = frames.pop();
    if (!frame) return;
    const outer = frames.at(-1);
    const belongsToOuter = frame.kind === 'staticBlock' || frame.kind === 'fieldInitialiser';
    if (outer && belongsToOuter) addToOuter(outer, frame);
    if (!isBrief) addExcess(frame, outer?.kind === 'topLevel' ? undefined : outer, belongsToOuter);
    const unit = createFunctionUnit(frame, sourceFile);
    units.push(unit);
    if (frame.points) points.set(unit, frame.points);
    if (outer) mergeTokens(outer, frame);
  }

  /**
   * Adds the complexity of a static block or of a field's initial value to the function around the class, because such
   * code is as hard to follow there.
   */
  function addToOuter(outer: Frame, frame: Frame): void {
    outer.cognitive += frame.cognitive + frame.structuralCount * outer.nested;
    for (const point of frame.points ?? []) {
      if (point.cognitive > 0)
        outer.points?.push({
          ...point,
          cyclomatic: 0,
          cognitive: point.cognitive + (point.growsWithNesting ? outer.nested : 0),
          nesting: point.nesting + outer.nested,
        });
    }
  }

  /**
   * Adds to the sum for the ruler. The top level is not a function, and the complexity of an immediately called
   * function belongs to the function around it.
   */
  function addExcess(frame: Frame, outer: Frame | undefined, belongsToOuter: boolean): void {
    if (frame.kind === 'topLevel') return;
    if (outer && (belongsToOuter || isImmediatelyCalled(frame.node))) {
      outer.effectiveCognitive += frame.effectiveCognitive + frame.structuralCount * outer.nested;
      outer.structuralCount += frame.structuralCount;
    } else if (outer && isLoopCallback(frame.node)) {
      outer.effectiveCognitive +=
        1 + outer.nested + frame.effectiveCognitive + frame.structuralCount * (outer.nested + 1);
      outer.structuralCount += 1 + frame.structuralCount;
    } else if (deadLevel === 0) {
      flow.excess += Math.max(0, frame.effectiveCognitive - COGNITIVE_LIMIT);
    }
  }

  function measure(node: ts.Node): void {
    const frame = frames.at(-1);
    if (countsTokens && frame && typeLevel === 0) countScriptTokens(frame.tokens, node);
    addNodePoints(node, addPoint);
    if (node.kind >= SyntaxKind.FirstStatement && node.kind <= SyntaxKind.LastStatement) countStatement(node);
    else if (
      node.kind === SyntaxKind.ClassDeclaration ||
      node.kind === SyntaxKind.InterfaceDeclaration ||
      node.kind === SyntaxKind.TypeAliasDeclaration ||
      node.kind === SyntaxKind.EnumDeclaration ||
      node.kind === SyntaxKind.ExportAssignment
    )
      countStatement(node);
  }

  /** Adds the points of one construct to the function around it and to the sums for the ruler. */
  function addPoint(node: ts.Node, construct: Construct, cyclomatic: number, cognitive: CognitivePoints): void {
    if (cognitive !== NO_POINTS && deadLevel === 0)
      flow.cognitive += cognitive === NESTED_POINTS ? 1 + nestingLevel : 1;
    const frame = frames.at(-1);
    if (!frame) return;
    const added = cognitive === NESTED_POINTS ? 1 + frame.nested : cognitive;
    frame.cyclomatic += cyclomatic;
    frame.cognitive += added;
    frame.effectiveCognitive += added;
    if (cognitive === NESTED_POINTS) frame.structuralCount++;
    frame.points?.push({
      node,
      construct,
      cyclomatic,
      cognitive: added,
      nesting: frame.nested,
      growsWithNesting: cognitive === NESTED_POINTS,
    });
  }

  function countStatement(node: ts.Node): void {
    const frame = frames.at(-1);
    if (node.kind === SyntaxKind.EmptyStatement) return;
    if (frame) frame.statements++;
    if (isBrief || deadLevel > 0 || isInertStatement(node)) return;
    if (isBareJump(node)) return;
    if (isWork(node)) flow.statements++;
    // `a(), b();` and `[a(), b()];` count as many statements as they have parts.
    flow.depth += nestingLevel * splitStatement(node).length;
    if (node.kind !== SyntaxKind.ExpressionStatement) return;
    // `ok && run();` is equivalent to an `if` and counts like one, with a body one level deeper.
    const expression = skipParentheses((node as ts.ExpressionStatement).expression);
    if (isLogical(expression)) {
      flow.cognitive += 1 + nestingLevel;
      if (frame) frame.effectiveCognitive += 1 + frame.nested;
    }
    if (isLogical(expression)) flow.depth += nestingLevel + 1;
    // `ok ? run() : stop();` is an `if` with an `else`: two bodies, and the `else` adds a point.
    if (expression.kind !== SyntaxKind.ConditionalExpression) return;
    flow.depth += 2 * (nestingLevel + 1);
    flow.cognitive += 1;
    if (frame) frame.effectiveCognitive += 1;
  }

  /** Enters a control structure that `max-depth` counts, and remembers the deepest one. */
  function enterDepthBlock(node: ts.Node): void {
    const frame = frames.at(-1);
    if (!frame) return;
    frame.depth++;
    if (frame.depth <= frame.deepestDepth) return;
    frame.deepestDepth = frame.depth;
    frame.deepestOffset = node.getStart(sourceFile);
  }

  function isDeclaredDead(node: ts.Node): boolean {
    const start = deadRanges.get(node.end);
    return start !== undefined && start === node.getStart(sourceFile);
  }
}
