// Measures the dead code of a file and finds its ranges, including code that only dead code uses. The ruler counts it,
// so that hiding dead code gains nothing.

import { ts } from 'ts-morph';
import { isInertStatement } from '../metrics/scriptNodes.ts';
import { bindScript } from './bindings.ts';
import { ReferenceCount, type UnusedDeclaration } from './unusedDeclarations.ts';

/** The dead code of a file. */
export interface DeadCode {
  /** The number of unused names and of the statements that go with them. */
  readonly mass: number;
  /**
   * By end offset: the start offset of each declaration that can be removed as a whole, and of each statement that is
   * never reached.
   */
  readonly ranges: ReadonlyMap<number, number>;
}

/** The result for a file without dead code. */
export const NOTHING_DEAD: DeadCode = { mass: 0, ranges: new Map() };

/** Maximum number of searches after removing code. Of a longer chain of dead code, only a part is counted. */
const MAX_ROUNDS = 10;

/**
 * The dead code of a file. Removes unused code and searches again until nothing more is unused, at most `MAX_ROUNDS`
 * times. So removing one function from a shorter chain of unused functions lowers the mass. `inertStatements`:
 * statements such as `void name;` that only pretend to use a name, and statements that are never reached.
 */
export function findDeadCode(
  sourceFile: ts.SourceFile,
  references: ReferenceCount,
  unused: readonly UnusedDeclaration[],
  inertStatements: readonly ts.Node[],
): DeadCode {
  const ranges = new Map<number, number>();
  const countedNameStarts = new Set<number>();
  let remainingText = sourceFile.text;
  let mass = 0;
  let removedNodes: ts.Node[] = [];
  for (const statement of inertStatements) {
    const start = statement.getStart(sourceFile);
    if (!isInertStatement(statement) && !ranges.has(statement.end)) {
      mass += countStatements(statement);
      ranges.set(statement.end, start);
    }
    blankOut(statement, start);
  }
  addUnused(unused);
  for (const name of references.listUnreadUnderscored()) addName(name.start);
  for (
    let [round, lastReferences] = [0, references];
    round < MAX_ROUNDS && lastReferences.mayBeFreedByRemoving(removedNodes);
    round++
  ) {
    removedNodes = [];
    lastReferences = findReferences(sourceFile, remainingText, addUnused);
  }
  return { mass, ranges };

  function addUnused(unusedDeclarations: readonly UnusedDeclaration[]): void {
    for (const declaration of unusedDeclarations) {
      for (const name of declaration.names) addName(name.start);
      if (!declaration.statement || ranges.get(declaration.end) === declaration.start) continue;
      mass += countStatements(declaration.statement);
      ranges.set(declaration.end, declaration.start);
      blankOut(declaration.statement, declaration.start);
    }
  }

  function addName(nameStart: number): void {
    if (!countedNameStarts.has(nameStart)) mass++;
    countedNameStarts.add(nameStart);
  }

  /**
   * Replaces a node by spaces, so that all offsets stay the same, and by an empty statement, so that the code stays
   * valid.
   */
  function blankOut(node: ts.Node, start: number): void {
    const { end } = node;
    removedNodes.push(node);
    remainingText = `${remainingText.slice(0, start)};${remainingText.slice(start + 1, end).replace(/[^\r\n]/g, ' ')}${remainingText.slice(end)}`;
  }
}

/** One shared list, because most nodes make no statement unreachable. */
const NO_STATEMENTS: readonly ts.Statement[] = [];

/**
 * Statements that cannot run because of `node`: after its jump, or under a condition that is `false` or `0`. Functions
 * and inert statements after a jump are skipped.
 */
export function findUnreachableAfter(node: ts.Node): readonly ts.Statement[] {
  if (node.kind < ts.SyntaxKind.FirstStatement || node.kind > ts.SyntaxKind.LastStatement) return NO_STATEMENTS;
  if (ts.isIfStatement(node)) return isFalse(node.expression) ? [node.thenStatement] : NO_STATEMENTS;
  if (ts.isWhileStatement(node)) return isFalse(node.expression) ? [node.statement] : NO_STATEMENTS;
  if (!ts.isReturnStatement(node) && !ts.isThrowStatement(node) && !ts.isBreakOrContinueStatement(node))
    return NO_STATEMENTS;
  const { parent } = node;
  if (!ts.isBlock(parent) && !ts.isCaseOrDefaultClause(parent)) return NO_STATEMENTS;
  const following = parent.statements.slice(parent.statements.indexOf(node) + 1);
  // Function declarations are hoisted, so they exist everywhere in the block.
  return following.filter((statement) => !ts.isFunctionDeclaration(statement) && !isInertStatement(statement));
}

function isFalse(condition: ts.Expression): boolean {
  return condition.kind === ts.SyntaxKind.FalseKeyword || (ts.isNumericLiteral(condition) && condition.text === '0');
}

/** Visits every node once, `root` included, parents before their children and later siblings first. No recursion. */
export function forEachNode(root: ts.Node, visit: (node: ts.Node) => void): void {
  const pending = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    visit(node);
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
}

/**
 * The references in a text in which the code that earlier rounds removed is blanked out. Reports the unused
 * declarations of that text to `addUnused`.
 */
function findReferences(
  original: ts.SourceFile,
  text: string,
  addUnused: (unused: readonly UnusedDeclaration[]) => void,
): ReferenceCount {
  const { scriptKind } = original as ts.SourceFile & { readonly scriptKind?: ts.ScriptKind };
  const sourceFile = ts.createSourceFile(original.fileName, text, ts.ScriptTarget.Latest, true, scriptKind);
  bindScript(sourceFile);
  const references = new ReferenceCount();
  forEachNode(sourceFile, (node) => references.visit(node));
  if (references.mayHaveUnused()) addUnused(references.findUnused(sourceFile));
  return references;
}

/** Number of statements at and below a node, without empty ones. */
function countStatements(root: ts.Node): number {
  let count = 0;
  forEachNode(root, (node) => {
    if (
      node.kind >= ts.SyntaxKind.FirstStatement &&
      node.kind <= ts.SyntaxKind.LastStatement &&
      node.kind !== ts.SyntaxKind.EmptyStatement
    )
      count++;
  });
  return count;
}
