// The figures of every function of a script from a lazily read tree: the definitions of `metrics/`, told from other nodes.

import { behindTrivia } from '../script/leadingComments.ts';
import type { LazyHandlers, LazyNode } from './lazyTree.ts';
import { OddScript } from './oddScript.ts';
import { SkimFrames, type SkimFrame } from './skimFrames.ts';
import { behindHashbang, directivesOf, logicalOperators, optionalLinks, skipParentheses } from './skimNodes.ts';

/** What counts for cognitive complexity. */
const COGNITIVE = ['IfStatement', 'ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement', 'SwitchStatement', 'SwitchCase', 'CatchClause', 'ConditionalExpression', 'LogicalExpression', 'JSXExpressionContainer', 'JSXSpreadChild', 'BreakStatement', 'ContinueStatement', 'Function', 'ArrowFunctionExpression', 'StaticBlock', 'PropertyDefinition', 'AccessorProperty', 'Class'];


/** A class that extends more than a name with arguments of types, and code in what it extends. */
const HEIR = /^(@[^]*|(abstract\s+)?class\s+)?extends\b(?!\s+[\w$.\s]+(<|$|implements\b))[^]*(=>|\bfunction\b|\bclass\b|[?{`]|&&|\|\|)/;
/** `[a, ...[b = 1]]`, `(...{ length = 1 }) =>`: the visitor does not look into what takes the rest. */
const REST_WITH_DEFAULT = /\.\.\.\s*[[{][^\]}]{0,300}=(?![=>])[^\]}]{0,300}[\]}]\s*[\])}]/;

export class FigureWalk {
  private frames = new SkimFrames();
  private readonly whole: boolean;
  private text = '';
  private elseIfs = new Set<LazyNode>();
  private operands = new Set<LazyNode>();
  private shown = new Set<LazyNode>();

  /** Not `whole`: cognitive complexity alone, which passes most of a tree by. The other figures are wrong then. */
  constructor(whole: boolean) {
    this.whole = whole;
  }

  /** Throws `OddScript`. */
  begin(text: string, program: LazyNode): void {
    if (REST_WITH_DEFAULT.test(text)) throw new OddScript('What takes the rest has a default.');
    this.frames = new SkimFrames();
    this.text = text;
    this.elseIfs = new Set();
    this.operands = new Set();
    this.shown = new Set();
    this.frames.open(program, 'topLevel', 0);
    this.frames.at(0).statements += directivesOf(text, program, behindHashbang(text)).length;
  }

  /** Figures of functions, inner ones first; the top level is the last. */
  end(program: LazyNode): readonly SkimFrame[] {
    this.frames.close(program);
    return this.frames.closed;
  }

  handlers(): LazyHandlers {
    const all = this.allHandlers();
    return this.whole ? all : Object.fromEntries(Object.entries(all).filter(([type]) => COGNITIVE.includes(type.replace(/:exit$/, ''))));
  }

  private allHandlers(): LazyHandlers {
    const count = ({ start }: LazyNode): void => void this.frames.at(start).statements++;
    const loop = (node: LazyNode): void => this.enterLoop(node);
    const leave = (node: LazyNode): void => this.frames.at(node.start).leave(node);
    const leaveBlock = (node: LazyNode): void => {
      const frame = this.frames.at(node.start);
      frame.leave(node);
      frame.depth--;
    };
    const close = (node: LazyNode): void => this.frames.close(node);
    const field = (node: LazyNode): void => this.enterField(node);
    const jump = (node: LazyNode): void => this.enterJump(node);
    const jsx = (node: LazyNode): void => this.enterShown(node);
    const defaulted = ({ start }: LazyNode): void => void this.frames.at(start).cyclomatic++;
    return {
      IfStatement: (node) => this.enterIf(node),
      'IfStatement:exit': (node) => this.leaveIf(node),
      ForStatement: loop,
      'ForStatement:exit': leaveBlock,
      ForInStatement: loop,
      'ForInStatement:exit': leaveBlock,
      ForOfStatement: loop,
      'ForOfStatement:exit': leaveBlock,
      WhileStatement: loop,
      'WhileStatement:exit': leaveBlock,
      DoWhileStatement: loop,
      'DoWhileStatement:exit': leaveBlock,
      SwitchStatement: (node) => this.enterSwitch(node),
      'SwitchStatement:exit': leaveBlock,
      SwitchCase: (node) => this.enterCase(node),
      'SwitchCase:exit': leave,
      TryStatement: (node) => this.enterTry(node),
      'TryStatement:exit': leaveBlock,
      CatchClause: (node) => this.enterCatch(node),
      'CatchClause:exit': leave,
      ConditionalExpression: (node) => this.enterConditional(node),
      'ConditionalExpression:exit': leave,
      LogicalExpression: (node) => this.enterLogical(node),
      JSXExpressionContainer: jsx,
      JSXSpreadChild: jsx,
      ChainExpression: (node) => void (this.frames.at(node.start).cyclomatic += optionalLinks(node)),
      AssignmentExpression: (node) => this.enterAssignment(node),
      AssignmentPattern: defaulted,
      AssignmentTargetWithDefault: defaulted,
      AssignmentTargetPropertyIdentifier: (node) => node['value'] !== null && defaulted(node),
      FormalParameters: (node) => this.enterParameters(node),
      BreakStatement: jump,
      ContinueStatement: jump,
      VariableDeclaration: count,
      ExpressionStatement: count,
      ReturnStatement: count,
      ThrowStatement: count,
      LabeledStatement: count,
      WithStatement: count,
      DebuggerStatement: count,
      TSInterfaceDeclaration: count,
      TSTypeAliasDeclaration: count,
      TSEnumDeclaration: count,
      TSExportAssignment: count,
      ExportDefaultDeclaration: (node) => this.enterDefault(node),
      Class: (node) => this.enterClass(node),
      Function: (node) => this.enterFunction(node),
      'Function:exit': close,
      ArrowFunctionExpression: (node) => this.enterArrow(node),
      'ArrowFunctionExpression:exit': close,
      StaticBlock: (node) => this.frames.open(node, 'staticBlock', node.start),
      'StaticBlock:exit': close,
      PropertyDefinition: field,
      'PropertyDefinition:exit': close,
      AccessorProperty: field,
      'AccessorProperty:exit': close,
    };
  }

  private enterIf(node: LazyNode): void {
    const frame = this.frames.at(node.start);
    const { consequent, alternate } = node;
    frame.statements++;
    frame.cyclomatic++;
    if (this.elseIfs.has(node)) frame.cognitive++;
    else {
      frame.addStructural(node.start);
      frame.deepen(node.start);
    }
    frame.addPart(consequent.start, consequent.end);
    if (alternate === null) return;
    if (alternate.type === 'IfStatement') this.elseIfs.add(alternate);
    else {
      frame.cognitive++;
      frame.addPart(alternate.start, alternate.end);
    }
  }

  private leaveIf(node: LazyNode): void {
    const frame = this.frames.at(node.start);
    frame.leave(node);
    if (!this.elseIfs.has(node)) frame.depth--;
  }

  private enterLoop(node: LazyNode): void {
    const frame = this.frames.at(node.start);
    frame.statements++;
    frame.cyclomatic++;
    frame.addStructural(node.start);
    frame.deepen(node.start);
    frame.addPart(node['body'].start, node['body'].end);
    // The declaration in its head is no statement.
    const head: LazyNode | null | undefined = node.type === 'ForStatement' ? node['init'] : node['left'];
    if (head?.type === 'VariableDeclaration') frame.statements--;
  }

  private enterSwitch({ start }: LazyNode): void {
    const frame = this.frames.at(start);
    frame.statements++;
    frame.addStructural(start);
    frame.deepen(start);
  }

  private enterCase({ start, end, test }: LazyNode): void {
    const frame = this.frames.at(start);
    if (test !== null) frame.cyclomatic++;
    frame.addPart(start + 'case'.length, end);
  }

  private enterTry({ start }: LazyNode): void {
    const frame = this.frames.at(start);
    frame.statements++;
    frame.deepen(start);
  }

  private enterCatch({ start, body }: LazyNode): void {
    const frame = this.frames.at(start);
    frame.cyclomatic++;
    frame.addStructural(start);
    frame.addPart(body.start, body.end);
  }

  private enterConditional({ start, consequent, alternate }: LazyNode): void {
    const frame = this.frames.at(start);
    frame.cyclomatic++;
    frame.addStructural(start);
    frame.addPart(consequent.start, consequent.end);
    frame.addPart(alternate.start, alternate.end);
  }

  private enterLogical(node: LazyNode): void {
    if (this.operands.has(node)) return;
    const operators = logicalOperators(node);
    for (const operator of operators) this.operands.add(operator);
    const isConditional = (operand: LazyNode): boolean => skipParentheses(operand).type === 'ConditionalExpression';
    const decidesJsx = this.shown.has(node) && operators.every((one) => one['operator'] === node['operator'] && !isConditional(one['left']) && !isConditional(one['right']));
    const frame = this.frames.at(node.start);
    frame.cyclomatic += operators.length;
    let previous: string | null = null;
    for (const { operator } of operators) {
      if (operator === '&&' && previous !== operator && !decidesJsx) frame.cognitive++;
      previous = operator;
    }
  }

  private enterShown({ expression }: LazyNode): void {
    this.shown.add(skipParentheses(expression));
  }

  private enterAssignment({ start, operator }: LazyNode): void {
    if (operator === '&&=' || operator === '||=' || operator === '??=') this.frames.at(start).cyclomatic++;
  }

  /** The list itself does not tell where it stands. */
  private enterParameters({ items }: LazyNode): void {
    for (const { initializer } of items as readonly LazyNode[]) if (initializer !== null) this.frames.at(initializer.start).cyclomatic++;
  }

  private enterJump({ start, label }: LazyNode): void {
    const frame = this.frames.at(start);
    frame.statements++;
    if (label !== null) frame.cognitive++;
  }

  /** Functions, classes and interfaces count by themselves. */
  private enterDefault({ start, declaration }: LazyNode): void {
    if (!/^(FunctionDeclaration|TSDeclareFunction|ClassDeclaration|TSInterfaceDeclaration)$/.test(declaration.type)) this.frames.at(start).statements++;
  }

  /** What a class extends is not shown by the visitor. */
  private enterClass(node: LazyNode): void {
    if (node.type === 'ClassDeclaration') this.frames.at(node.start).statements++;
    const { id, typeParameters, body } = node;
    const head = this.text.slice(behindTrivia(this.text, (typeParameters ?? id)?.end ?? node.start), body.start);
    if (HEIR.test(head)) throw new OddScript('It extends what may hold functions.');
  }

  private enterFunction(node: LazyNode): void {
    const { body } = node;
    if (body === null) return;
    if (node.type === 'FunctionDeclaration') this.frames.at(node.start).statements++;
    this.frames.open(node, node.type === 'FunctionDeclaration' ? 'function' : 'functionExpression', node.start);
    if (this.whole) this.frames.at(node.start).statements += directivesOf(this.text, body, body.start + 1).length;
  }

  private enterArrow(node: LazyNode): void {
    this.frames.open(node, 'arrow', node.start);
    if (!this.whole) return;
    const { body } = node;
    this.frames.at(node.start).statements += body.type === 'FunctionBody' ? directivesOf(this.text, body, body.start + 1).length : 1;
  }

  private enterField(node: LazyNode): void {
    if (node['value'] !== null) this.frames.open(node, 'fieldInitialiser', node['value'].start);
  }
}
