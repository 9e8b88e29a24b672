// remove-unreachable: removes statements that control never reaches. Hoisted declarations stay.

import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { nameStillUsed } from '../../propose/equivalence/unreachable.ts';
import { listComments, findCommentsBetween, isDirectiveComment } from '../../propose/syntax/comments.ts';
import { alwaysExits } from '../../propose/syntax/alwaysExits.ts';
import { collectDescendants } from '../../propose/syntax/locate.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { removeStatement } from '../../propose/syntax/removeStatement.ts';
import { applyReplacements, isLastOnLine, nextLine, removeLines, type Replacement } from '../../propose/textEdit.ts';

/** Matches words next to dead code that was switched off temporarily and is intended to return. */
const MEANT_TO_RETURN = /\b(?:todo|fixme|xxx|hack|temporar\w*|for now|disabled?|re-?enable|debug\w*|wip|uncomment)\b/i;

/**
 * Removes the statements after a statement that always exits. A `var` that other code uses stays, without its value.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const first = findOpportunityNode(
    context,
    (node): node is ts.Statement => listOf(node) !== null && isDead(node as ts.Statement),
  );
  const statements = first && listOf(first);
  if (!first || !statements) return refuse('Control may come here after all, or the code is gone.');
  const leaver = statements.findIndex(alwaysExits);
  const dead = statements.slice(leaver + 1).filter((statement) => !isHoisted(statement));
  const keptStatements = dead.filter((statement) => isNeededVariable(statement, dead));
  const removed = dead.filter((statement) => !keptStatements.includes(statement));
  if (dead.every(declaresWithoutValues)) return refuse('All that is left there is hoisted.');
  const reason = explainRefusal(sourceFile, statements[leaver]!, removed);
  if (reason) return refuse(reason);

  const replacements: Replacement[] = [
    ...collectRuns(statements, removed).map(([from, to]) =>
      createRemoval(sourceFile, statements[leaver]!, statements[statements.indexOf(from) - 1]!, from, to),
    ),
    ...keptStatements.flatMap(removeValues),
  ];
  const count = removed.length + keptStatements.length;
  return {
    text: applyReplacements(text, replacements),
    title: count === 1 ? 'remove an unreachable statement' : `remove ${count} unreachable statements`,
    rationale: `The code before always leaves, so ${count === 1 ? 'it never runs' : 'they never run'}.`,
  };
}

/** The list of statements that contains `node`; null for other nodes, and for a statement that is itself a branch. */
function listOf(node: ts.Node): readonly ts.Statement[] | null {
  const { parent } = node;
  if (!parent || !ts.isStatement(node)) return null;
  return ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isModuleBlock(parent) || ts.isCaseOrDefaultClause(parent)
    ? parent.statements
    : null;
}

/** True if a statement before it in the same list always exits. */
function isDead(statement: ts.Statement): boolean {
  const statements = listOf(statement);
  return statements !== null && statements.slice(0, statements.indexOf(statement)).some(alwaysExits);
}

/** True for a declaration that exists before the first statement runs, or only for the compiler; and for `;`. */
function isHoisted(statement: ts.Statement): boolean {
  return (
    ts.isFunctionDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEmptyStatement(statement) ||
    (ts.isVariableStatement(statement) &&
      isVar(statement) &&
      statement.declarationList.declarations.every(({ initializer, name }) => !initializer && ts.isIdentifier(name)))
  );
}

function isVar(statement: ts.VariableStatement): boolean {
  return (statement.declarationList.flags & ts.NodeFlags.BlockScoped) === 0;
}

/** True for a declaration of variables without values. */
function declaresWithoutValues(statement: ts.Statement): boolean {
  return (
    ts.isVariableStatement(statement) && statement.declarationList.declarations.every(({ initializer }) => !initializer)
  );
}

/** True for a `var` that is written or read elsewhere: its name stays, without the value that was never assigned. */
function isNeededVariable(statement: ts.Statement, dead: readonly ts.Statement[]): boolean {
  if (!ts.isVariableStatement(statement) || !isVar(statement)) return false;
  const otherStatements = dead.filter(
    (other) => !ts.isVariableStatement(other) || !isVar(other) || other === statement,
  );
  return (
    nameStillUsed(otherStatements) !== null &&
    statement.declarationList.declarations.every(({ name }) => ts.isIdentifier(name))
  );
}

/**
 * The removal of the statements `from` to `to`. If they directly follow the statement that exits, the comments between
 * are removed, too, because they can only be about the dead code.
 */
function createRemoval(
  sourceFile: ts.SourceFile,
  leaver: ts.Statement,
  previous: ts.Statement,
  from: ts.Statement,
  to: ts.Statement,
): Replacement {
  const { text } = sourceFile;
  const removal = removeStatement(sourceFile, from, to);
  const [comment] =
    previous === leaver ? findCommentsBetween(text, nextLine(text, leaver.end), from.getStart(sourceFile)) : [];
  return comment && comment.start < removal.start && isLastOnLine(text, to.end)
    ? removeLines(text, comment.start, to.end)
    : removal;
}

/** Removes the initial values of variables. */
function removeValues(statement: ts.Statement): Replacement[] {
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, type, initializer }) =>
    initializer ? [{ start: (type ?? name).end, end: initializer.end, text: '' }] : [],
  );
}

/** The reason why the statements cannot be removed; null if they can. */
function explainRefusal(
  sourceFile: ts.SourceFile,
  leaver: ts.Statement,
  removed: readonly ts.Statement[],
): string | null {
  if (
    removed.some(
      (statement) =>
        ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement) || ts.isModuleDeclaration(statement),
    )
  )
    return 'A class, enum or namespace is declared there.';
  const name = nameStillUsed(removed);
  if (name) return `${name} is declared there and mentioned elsewhere.`;
  if (
    removed.some((statement) =>
      collectDescendants(statement).some(
        (node) => node.kind === ts.SyntaxKind.SuperKeyword && ts.isCallExpression(node.parent),
      ),
    )
  )
    return 'The constructor of the superclass is called there.';
  const end = removed.at(-1)?.end ?? leaver.end;
  const comments = listComments(sourceFile).filter(
    (comment) => comment.start >= leaver.getStart(sourceFile) && comment.start <= end + 1,
  );
  if (comments.some((comment) => isDirectiveComment(comment))) return 'A comment there is read by a tool.';
  return comments.some(({ text }) => MEANT_TO_RETURN.test(text))
    ? 'A comment says that the code was switched off for a while.'
    : null;
}

/** The runs of consecutive statements among the removed ones: the first and the last statement of each. */
function collectRuns(
  statements: readonly ts.Statement[],
  removed: readonly ts.Statement[],
): [ts.Statement, ts.Statement][] {
  const runs: [ts.Statement, ts.Statement][] = [];
  for (const statement of removed) {
    const lastRun = runs.at(-1);
    if (lastRun && statements.indexOf(lastRun[1]) === statements.indexOf(statement) - 1) lastRun[1] = statement;
    else runs.push([statement, statement]);
  }
  return runs;
}
