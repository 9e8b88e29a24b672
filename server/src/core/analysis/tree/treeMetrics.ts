// Walks once over a tree-sitter tree and measures every function, by the table of its language.

import type { Node, TreeCursor } from 'web-tree-sitter';
import { COGNITIVE_LIMIT, type FlowCounts, type FunctionUnit } from '../functionUnit.ts';
import type { LineStarts } from '../lines.ts';
import { mergeTokens } from '../metrics/halstead.ts';
import type { LanguageTable, NodeRole } from './languageTables.ts';
import { createTreeFrame, createTreeUnit, type TreeFrame } from './treeFrame.ts';
import { countTreeToken } from './treeTokens.ts';

/** The state of the walk for one node above the current one. */
interface Level {
  readonly type: string;
  readonly isNamed: boolean;
  readonly role: NodeRole | null;
  /** True if the node opened a frame. */
  readonly opensFrame: boolean;
  /** True if the node added a level of nesting. */
  readonly addsNesting: boolean;
  /** True if the node added a level only to the frame of its function, as a closure does. */
  readonly isLambda: boolean;
  /** True if the node added to `depth` of the frame. */
  readonly addsDepth: boolean;
  /** The logical operator whose sequence the children continue; null if there is none. */
  readonly operator: string | null;
}

/** Roles of nodes whose content may be one level deeper. */
const CONTROL_ROLES: ReadonlySet<NodeRole | null> = new Set<NodeRole | null>([
  'if',
  'elseIf',
  'loop',
  'switch',
  'catch',
]);
/** Roles whose body may be a single statement without a block. */
const BRACELESS_ROLES: ReadonlySet<NodeRole | null> = new Set<NodeRole | null>(['if', 'else', 'loop']);
/** Roles that count as a level of `depth` in the frame. */
const DEEPENING_ROLES: ReadonlySet<NodeRole | null> = new Set<NodeRole | null>(['if', 'loop', 'switch', 'try']);

/**
 * The metrics of all functions of a file. Cyclomatic complexity: 1 + branches, loops, cases except the default,
 * catches, conditional expressions, `&&` and `||`. Cognitive complexity: by SonarSource's white paper; closures add a
 * level, and named inner functions are measured separately. Code outside of functions is a unit of its own, the last
 * one, whose excess does not count.
 */
export function walkTree(
  root: Node,
  text: string,
  table: LanguageTable,
  lines: LineStarts,
): { readonly units: readonly FunctionUnit[]; readonly flow: FlowCounts } {
  const units: FunctionUnit[] = [];
  const flow: FlowCounts = { statements: 0, excess: 0, cognitive: 0, depth: 0 };
  const frames: TreeFrame[] = [createTreeFrame(root, 'topLevel')];
  const levels: Level[] = [];
  let nested = 0;
  const cursor = root.walk();
  try {
    for (;;) {
      levels.push(enter(cursor));
      if (cursor.gotoFirstChild()) continue;
      const { type, isNamed } = levels.at(-1)!;
      countTreeToken(frames.at(-1)!.tokens, cursor, type, isNamed, text);
      leave();
      while (!cursor.gotoNextSibling()) {
        if (cursor.gotoParent()) {
          leave();
          continue;
        }
        if (root.namedChildCount > 0) closeFrame();
        return { units, flow };
      }
    }
  } finally {
    cursor.delete();
  }

  function enter(cursor: TreeCursor): Level {
    const type = cursor.nodeType;
    const parent = levels.at(-1);
    if (!cursor.nodeIsNamed)
      return {
        type,
        isNamed: false,
        role: null,
        opensFrame: false,
        addsNesting: false,
        isLambda: false,
        addsDepth: false,
        operator: null,
      };
    const role = table.roles[type] ?? null;
    const field =
      parent && (CONTROL_ROLES.has(parent.role) || parent.type === 'case_statement') ? cursor.currentFieldName : null;
    const isElseIf = role === 'if' && ((parent?.role === 'if' && field === 'alternative') || parent?.role === 'else');
    const isElse = isElsePart(role, parent, field, isElseIf, cursor);
    if (isElse) addFlatPoint();
    // The content of a branch is one level deeper, whether it is a block or a statement without braces.
    const isInside =
      isElse ||
      (field !== null && CONTROL_ROLES.has(parent?.role ?? null) && table.nestedFields.has(field)) ||
      (parent?.role === 'catch' && field === null && role === 'block');
    if (isInside) enterNesting();
    if (isStatement(type, role, parent, field, isElseIf)) countStatement(cursor, type);

    const kind = table.functions[type];
    if (kind)
      frames.push(
        createTreeFrame(
          cursor.currentNode,
          kind === 'function' && table.classes.has(levels.at(-2)?.type ?? '') ? 'method' : kind,
        ),
      );
    const operator =
      role === 'logical' ? operatorOf(cursor.currentNode) : role === 'parentheses' ? (parent?.operator ?? null) : null;
    countFlow(cursor, type, role, isElseIf, operator !== null && operator !== parent?.operator);
    const deepens = DEEPENING_ROLES.has(role) && !isElseIf;
    if (deepens) enterDepthBlock(cursor);
    const nestsChildren = role === 'nestingCase' || role === 'ternary';
    if (nestsChildren) enterNesting();
    const isLambda = role === 'lambda';
    const frame = frames.at(-1);
    if (frame && isLambda) frame.nested++;
    return {
      type,
      isNamed: true,
      role,
      opensFrame: kind !== undefined,
      addsNesting: isInside || nestsChildren,
      isLambda: isLambda,
      addsDepth: deepens,
      operator,
    };
  }

  function enterNesting(): void {
    nested++;
    const frame = frames.at(-1);
    if (frame) frame.nested++;
  }

  function leave(): void {
    const level = levels.pop();
    if (!level) return;
    const frame = frames.at(-1);
    if (level.addsNesting) nested--;
    if (frame) {
      frame.nested -= (level.addsNesting ? 1 : 0) + (level.isLambda ? 1 : 0);
      if (level.addsDepth) frame.depth--;
    }
    if (level.opensFrame) closeFrame();
  }

  function closeFrame(): void {
    const closedFrame = frames.pop();
    if (!closedFrame) return;
    units.push(createTreeUnit(closedFrame, lines));
    const outer = frames.at(-1);
    if (!outer) return;
    mergeTokens(outer, closedFrame);
    flow.excess += Math.max(0, closedFrame.cognitive - COGNITIVE_LIMIT);
  }

  /** Adds the points of complexity of a node by its role. */
  function countFlow(
    cursor: TreeCursor,
    type: string,
    role: NodeRole | null,
    isElseIf: boolean,
    isNewSequence: boolean,
  ): void {
    switch (role) {
      case 'if':
        if (isElseIf) addFlatPoint();
        else addNestedPoints();
        return addBranch();
      case 'elseIf':
        addFlatPoint();
        return addBranch();
      case 'loop':
      case 'catch':
      case 'ternary':
        addNestedPoints();
        return addBranch();
      case 'switch':
        return addNestedPoints();
      case 'case':
      case 'nestingCase':
        if (!isDefaultCase(cursor, type)) addBranch();
        return;
      case 'branch':
        return addBranch();
      case 'logical':
        if (operatorOf(cursor.currentNode) !== null) addBranch();
        if (isNewSequence) addFlatPoint();
        return;
      case 'jump':
        if (cursor.currentNode.namedChildren.some((child) => child && table.labels.has(child.type))) addFlatPoint();
        return;
      default:
    }
  }

  function isStatement(
    type: string,
    role: NodeRole | null,
    parent: Level | undefined,
    field: string | null,
    isElseIf: boolean,
  ): boolean {
    if (!parent || table.idleTypes.has(type) || isElseIf) return false;
    if (parent.role === 'block') return role !== 'block' && role !== 'case';
    if (parent.type === 'case_statement') return field !== 'value';
    return (
      BRACELESS_ROLES.has(parent.role) &&
      field !== 'condition' &&
      field !== 'initializer' &&
      field !== 'update' &&
      type.endsWith('_statement') &&
      role !== 'block'
    );
  }

  /**
   * True for an `else` that adds a point: a clause without a following `if`, or the other branch itself. The `else` of
   * a loop or `try` does not break the flow.
   */
  function isElsePart(
    role: NodeRole | null,
    parent: Level | undefined,
    field: string | null,
    isElseIf: boolean,
    cursor: TreeCursor,
  ): boolean {
    if (role === 'else')
      return (
        parent?.role === 'if' &&
        !cursor.currentNode.namedChildren.some((child) => child && table.roles[child.type] === 'if')
      );
    return parent?.role === 'if' && field === 'alternative' && role !== 'elseIf' && !isElseIf;
  }

  /** The logical operator of a node; null if it has another operator or none. */
  function operatorOf(node: Node): string | null {
    const operator = node.childForFieldName('operator')?.type ?? null;
    return operator !== null && table.logicalOperators.has(operator) ? operator : null;
  }

  function addBranch(): void {
    const frame = frames.at(-1);
    if (frame) frame.cyclomatic++;
  }

  function addFlatPoint(): void {
    const frame = frames.at(-1);
    if (frame) frame.cognitive++;
    flow.cognitive++;
  }

  function addNestedPoints(): void {
    const frame = frames.at(-1);
    if (frame) frame.cognitive += 1 + frame.nested;
    flow.cognitive += 1 + nested;
  }

  function countStatement(cursor: TreeCursor, type: string): void {
    const frame = frames.at(-1);
    if (frame) frame.statements++;
    if (isInert(cursor, type) || table.functions[type]) return;
    if (
      type !== 'return_statement' &&
      !DEEPENING_ROLES.has(table.roles[type] ?? null) &&
      !wrapsControl(cursor) &&
      !isDelegation(cursor, type)
    )
      flow.statements++;
    flow.depth += nested;
  }

  /**
   * True for an expression statement that contains only control flow, because Rust writes `if` and `match` as
   * expressions.
   */
  function wrapsControl(cursor: TreeCursor): boolean {
    const onlyChild = cursor.currentNode.namedChildCount === 1 ? cursor.currentNode.namedChild(0) : null;
    return onlyChild !== null && DEEPENING_ROLES.has(table.roles[onlyChild.type] ?? null);
  }

  function enterDepthBlock(cursor: TreeCursor): void {
    const frame = frames.at(-1);
    if (!frame) return;
    frame.depth++;
    if (frame.depth <= frame.deepestDepth) return;
    frame.deepestDepth = frame.depth;
    frame.deepestOffset = cursor.startIndex;
  }
}

/**
 * True for a `return` without a value, and for a statement that is only a string or a name (such as a docstring): they
 * do no work.
 */
function isInert(cursor: TreeCursor, type: string): boolean {
  if (type === 'return_statement') return cursor.currentNode.namedChildCount === 0;
  if (type !== 'expression_statement') return false;
  const node = cursor.currentNode;
  const onlyChild = node.namedChildCount === 1 ? node.namedChild(0) : null;
  return (
    node.namedChildCount === 0 ||
    (onlyChild !== null &&
      ['string', 'identifier', 'integer', 'true', 'false', 'none', 'ellipsis'].includes(onlyChild.type))
  );
}

/** True for a call that is a whole statement, `run();`: its work is counted where the function is defined. */
function isDelegation(cursor: TreeCursor, type: string): boolean {
  if (type !== 'expression_statement') return false;
  const call = cursor.currentNode.namedChild(0);
  if (call?.type === 'method_invocation') return call.childForFieldName('object') === null;
  return (
    (call?.type === 'call' || call?.type === 'call_expression') &&
    call.childForFieldName('function')?.type === 'identifier'
  );
}

/** True for a case that matches everything else, which adds no branch. */
function isDefaultCase(cursor: TreeCursor, type: string): boolean {
  if (type === 'default_case') return true;
  if (type === 'case_statement') return cursor.currentNode.childForFieldName('value') === null;
  if (type === 'match_arm' || type === 'case_clause') return isWildcard(cursor.currentNode);
  return type === 'switch_label' && cursor.currentNode.namedChildCount === 0;
}

/** True for `_ => …` and `case _:` without a guard. */
function isWildcard(node: Node): boolean {
  const pattern =
    node.childForFieldName('pattern') ?? node.namedChildren.find((child) => child?.type === 'case_pattern');
  return pattern?.text === '_';
}
