// remove-unreachable: removes statements that control never reaches. Hoisted declarations stay.

import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findNameStillUsed } from '../../propose/equivalence/unreachable.ts';
import { listComments, findCommentsBetween, isDirectiveComment } from '../../propose/syntax/comments.ts';
import { alwaysExits } from '../../propose/syntax/alwaysExits.ts';
import { collectDescendants } from '../../propose/syntax/locate.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { removeStatement } from '../../propose/syntax/removeStatement.ts';
import {
  applyReplacements,
  isLastOnLine,
  nextLineStart,
  removeLines,
  type Replacement,
} from '../../propose/textEdit.ts';

/** Matches words next to dead code that was switched off temporarily and is intended to return. */
const TEMPORARY_CODE_PATTERN =
  /\b(?:todo|fixme|xxx|hack|temporar\w*|for now|disabled?|re-?enable|debug\w*|wip|uncomment)\b/i;

/**
 * Removes the statements after a statement that always exits. A `var` that other code uses stays, without its value.
 * Refuses if a class, an enum or a namespace would be removed, if other code uses a name that would be removed, or if a
 * comment is for a tool or says that the code will return.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const firstDeadStatement = findOpportunityNode(
    context,
    (node): node is ts.Statement => findStatementList(node) !== null && followsExit(node as ts.Statement),
  );
  const statements = firstDeadStatement && findStatementList(firstDeadStatement);
  if (!firstDeadStatement || !statements) return refuse('Control may come here after all, or the code is gone.');
  const exitIndex = statements.findIndex(alwaysExits);
  const deadStatements = statements.slice(exitIndex + 1).filter((statement) => !isHoisted(statement));
  const keptStatements = deadStatements.filter((statement) => isNeededVariable(statement, deadStatements));
  const removedStatements = deadStatements.filter((statement) => !keptStatements.includes(statement));
  if (deadStatements.every(declaresWithoutValues)) return refuse('All that is left there is hoisted.');
  const reason = explainRefusal(sourceFile, statements[exitIndex]!, removedStatements);
  if (reason) return refuse(reason);

  const replacements: Replacement[] = [
    ...collectRuns(statements, removedStatements).map(([from, to]) =>
      createRemoval(sourceFile, statements[exitIndex]!, statements[statements.indexOf(from) - 1]!, from, to),
    ),
    ...keptStatements.flatMap(removeValues),
  ];
  const count = removedStatements.length + keptStatements.length;
  return {
    text: applyReplacements(text, replacements),
    title: count === 1 ? 'remove an unreachable statement' : `remove ${count} unreachable statements`,
    rationale: `The code before always leaves, so ${count === 1 ? 'it never runs' : 'they never run'}.`,
  };
}

/** The list of statements that contains `node`; null for other nodes, and for a statement that is itself a branch. */
function findStatementList(node: ts.Node): readonly ts.Statement[] | null {
  const { parent } = node;
  if (!parent || !ts.isStatement(node)) return null;
  return ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isModuleBlock(parent) || ts.isCaseOrDefaultClause(parent)
    ? parent.statements
    : null;
}

/** True if a statement before it in the same list always exits. */
function followsExit(statement: ts.Statement): boolean {
  const statements = findStatementList(statement);
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
function isNeededVariable(statement: ts.Statement, deadStatements: readonly ts.Statement[]): boolean {
  if (!ts.isVariableStatement(statement) || !isVar(statement)) return false;
  const otherStatements = deadStatements.filter(
    (other) => !ts.isVariableStatement(other) || !isVar(other) || other === statement,
  );
  return (
    findNameStillUsed(otherStatements) !== null &&
    statement.declarationList.declarations.every(({ name }) => ts.isIdentifier(name))
  );
}

/**
 * The removal of the statements `from` to `to`. If they directly follow the statement that exits, the comments between
 * are removed, too, because they can only be about the dead code.
 */
function createRemoval(
  sourceFile: ts.SourceFile,
  exitStatement: ts.Statement,
  previous: ts.Statement,
  from: ts.Statement,
  to: ts.Statement,
): Replacement {
  const { text } = sourceFile;
  const removal = removeStatement(sourceFile, from, to);
  const [comment] =
    previous === exitStatement
      ? findCommentsBetween(text, nextLineStart(text, exitStatement.end), from.getStart(sourceFile))
      : [];
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
  exitStatement: ts.Statement,
  removedStatements: readonly ts.Statement[],
): string | null {
  if (
    removedStatements.some(
      (statement) =>
        ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement) || ts.isModuleDeclaration(statement),
    )
  )
    return 'A class, enum or namespace is declared there.';
  const name = findNameStillUsed(removedStatements);
  if (name) return `${name} is declared there and mentioned elsewhere.`;
  if (
    removedStatements.some((statement) =>
      collectDescendants(statement).some(
        (node) => node.kind === ts.SyntaxKind.SuperKeyword && ts.isCallExpression(node.parent),
      ),
    )
  )
    return 'The constructor of the superclass is called there.';
  const end = removedStatements.at(-1)?.end ?? exitStatement.end;
  const comments = listComments(sourceFile).filter(
    (comment) => comment.start >= exitStatement.getStart(sourceFile) && comment.start <= end + 1,
  );
  if (comments.some((comment) => isDirectiveComment(comment))) return 'A comment there is read by a tool.';
  return comments.some(({ text }) => TEMPORARY_CODE_PATTERN.test(text))
    ? 'A comment says that the code was switched off for a while.'
    : null;
}

/** The runs of consecutive statements among the removed ones: the first and the last statement of each. */
function collectRuns(
  statements: readonly ts.Statement[],
  removedStatements: readonly ts.Statement[],
): [ts.Statement, ts.Statement][] {
  const runs: [ts.Statement, ts.Statement][] = [];
  for (const statement of removedStatements) {
    const lastRun = runs.at(-1);
    if (lastRun && statements.indexOf(lastRun[1]) === statements.indexOf(statement) - 1) lastRun[1] = statement;
    else runs.push([statement, statement]);
  }
  return runs;
}
