// Decides whether two programs take the same steps in the same order and differ only in how ifs and jumps are written.
//
// Both are rewritten into one normal form: guard clauses become else branches, nested ifs are merged, and jumps to
// where control continues anyway are removed. Each rewriting preserves the meaning, so equal normal forms mean
// equivalent programs, regardless of their authors. (Translation validation: Pnueli, Siegel and Singerman, TACAS 1998;
// here without a solver, which these rewritings do not need.)

import { ts } from 'ts-morph';
import { normaliseCondition, printWithoutComments } from './conditions.ts';
import { hasDynamicNames, listLexicalNames, refersTo } from './scopes.ts';
import { countErrorsOfParser } from '../../syntax/countSyntaxErrors.ts';

type Statements = readonly ts.Statement[];

const { factory } = ts;

/** True if two JavaScript programs take the same steps; false if they do not, or if this cannot be decided. */
export function areSameSteps(before: string, after: string): boolean {
  const oldForm = normaliseStatements(before);
  return oldForm !== null && oldForm === normaliseStatements(after);
}

/** The text of the normal form; null for code that does not parse, or whose names are dynamic. */
export function normaliseStatements(code: string): string | null {
  const sourceFile = ts.createSourceFile('emitted.jsx', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JSX);
  if (countErrorsOfParser(sourceFile) > 0 || hasDynamicNames(sourceFile)) return null;
  const { transformed } = ts.transform(sourceFile, [normaliseFlow]);
  return printWithoutComments(transformed[0]!);
}

/** Rewrites the tree from the inside out. */
function normaliseFlow(context: ts.TransformationContext): (sourceFile: ts.SourceFile) => ts.SourceFile {
  const visit = (node: ts.Node): ts.Node => {
    const inner = ts.visitEachChild(node, visit, context);
    const { parent } = node;
    if (ts.isIterationStatement(parent, false) && parent.statement === node)
      return createBlock(removeTailJumps(normaliseSequence(listStatements(inner as ts.Statement)), isContinue));
    if (ts.isBlock(inner))
      return createBlock(
        ts.isFunctionLike(parent)
          ? removeTailJumps(normaliseSequence(inner.statements), isReturn)
          : normaliseSequence(inner.statements),
      );
    return ts.isIfStatement(inner)
      ? createBranch(
          inner.expression,
          listStatements(inner.thenStatement),
          inner.elseStatement ? listStatements(inner.elseStatement) : [],
        )
      : inner;
  };
  return (sourceFile) => ts.visitEachChild(sourceFile, visit, context);
}

/**
 * Moves the statements after an `if` with a branch that always exits into its other branch. Works from the last
 * statement to the first.
 */
function normaliseSequence(statements: Statements): Statements {
  const flatStatements = statements.flatMap((statement) =>
    ts.isEmptyStatement(statement)
      ? []
      : ts.isBlock(statement) && listLexicalNames(statement.statements).size === 0
        ? [...statement.statements]
        : [statement],
  );
  let following: Statements = [];
  for (let index = flatStatements.length - 1; index >= 0; index--) {
    const statement = flatStatements[index]!;
    const before = flatStatements.slice(0, index + 1);
    if (alwaysExits(statement) && canBeRemoved(following, before)) following = [];
    following = (ts.isIfStatement(statement) && moveFollowingInside(statement, following, before)) || [
      statement,
      ...following,
    ];
  }
  return following;
}

/**
 * The `if` with the following statements moved into the branch that does not exit. Null if nothing or a function
 * declaration follows, if both branches or none of them exit, or if a name would change its meaning there.
 */
function moveFollowingInside(statement: ts.IfStatement, following: Statements, before: Statements): Statements | null {
  const [consequent, otherwise] = [
    listStatements(statement.thenStatement),
    statement.elseStatement ? listStatements(statement.elseStatement) : [],
  ];
  if (following.length === 0 || lastAlwaysExits(consequent) === lastAlwaysExits(otherwise)) return null;
  if (
    following.some((followingStatement) => ts.isFunctionDeclaration(followingStatement)) ||
    refersTo(before, listLexicalNames(following))
  )
    return null;
  const continuingBranch = lastAlwaysExits(consequent) ? otherwise : consequent;
  if (refersTo(following, listLexicalNames(continuingBranch))) return null;
  const joinedBranch = normaliseSequence([...continuingBranch, ...following]);
  return [
    lastAlwaysExits(consequent)
      ? createBranch(statement.expression, consequent, joinedBranch)
      : createBranch(statement.expression, joinedBranch, otherwise),
  ];
}

/**
 * True if these unreachable statements can be removed: they hoist nothing, and no earlier statement mentions their
 * names.
 */
function canBeRemoved(following: Statements, before: Statements): boolean {
  return (
    following.length > 0 &&
    !following.some((statement) => ts.isFunctionDeclaration(statement) || declaresVar(statement)) &&
    !refersTo(before, listLexicalNames(following))
  );
}

function declaresVar(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false;
  return (
    (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) === 0) ||
    (ts.forEachChild(node, declaresVar) ?? false)
  );
}

/** Creates the same statement for each way to write an `if`. */
function createBranch(expression: ts.Expression, consequent: Statements, otherwise: Statements): ts.Statement {
  const [plain, negated] = [normaliseCondition(expression), normaliseCondition(expression, true)];
  if (consequent.length === 0 && otherwise.length === 0)
    return factory.createExpressionStatement(
      printWithoutComments(plain) <= printWithoutComments(negated) ? plain : negated,
    );
  if (consequent.length === 0) return createBranch(negated, otherwise, []);
  if (otherwise.length > 0) {
    return printWithoutComments(plain) <= printWithoutComments(negated)
      ? factory.createIfStatement(plain, createBlock(consequent), createBlock(otherwise))
      : factory.createIfStatement(negated, createBlock(otherwise), createBlock(consequent));
  }
  const [onlyStatement] = consequent;
  if (consequent.length > 1 || !onlyStatement || !ts.isIfStatement(onlyStatement) || onlyStatement.elseStatement)
    return factory.createIfStatement(plain, createBlock(consequent));
  return createBranch(
    factory.createLogicalAnd(expression, onlyStatement.expression),
    listStatements(onlyStatement.thenStatement),
    [],
  );
}

/** Removes jumps at the end of each branch that lead to where control continues anyway. */
function removeTailJumps(statements: Statements, isRedundantJump: (statement: ts.Statement) => boolean): Statements {
  const lastStatement = statements.at(-1);
  if (!lastStatement) return statements;
  const earlierStatements = statements.slice(0, -1);
  if (isRedundantJump(lastStatement)) return removeTailJumps(earlierStatements, isRedundantJump);
  if (!ts.isIfStatement(lastStatement)) return statements;
  const consequent = removeTailJumps(listStatements(lastStatement.thenStatement), isRedundantJump);
  const otherwise = lastStatement.elseStatement
    ? removeTailJumps(listStatements(lastStatement.elseStatement), isRedundantJump)
    : [];
  return [...earlierStatements, createBranch(lastStatement.expression, consequent, otherwise)];
}

function isReturn(statement: ts.Statement): boolean {
  return ts.isReturnStatement(statement) && !statement.expression;
}

function isContinue(statement: ts.Statement): boolean {
  return ts.isContinueStatement(statement) && !statement.label;
}

/** True if control never continues after the statement. */
function alwaysExits(statement: ts.Statement): boolean {
  if (ts.isReturnStatement(statement) || ts.isThrowStatement(statement) || ts.isBreakOrContinueStatement(statement))
    return true;
  if (ts.isBlock(statement)) return lastAlwaysExits(statement.statements);
  return (
    ts.isIfStatement(statement) &&
    statement.elseStatement !== undefined &&
    alwaysExits(statement.thenStatement) &&
    alwaysExits(statement.elseStatement)
  );
}

function lastAlwaysExits(statements: Statements): boolean {
  const lastStatement = statements.at(-1);
  return lastStatement !== undefined && alwaysExits(lastStatement);
}

function listStatements(statement: ts.Statement): Statements {
  return ts.isBlock(statement) ? statement.statements : ts.isEmptyStatement(statement) ? [] : [statement];
}

function createBlock(statements: Statements): ts.Block {
  return factory.createBlock(statements, true);
}
