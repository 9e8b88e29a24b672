// add-cause: passes the caught error on as the `cause` of the new error.

import { ts } from 'ts-morph';
import { openProject } from '../../propose/extraction/project.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { applyReplacements, type Replacement } from '../../propose/textEdit.ts';
import { explainNoCause } from '../../propose/causeSupport.ts';
import { parseLostCause, type ErrorHandler } from '../../syntax/errorWithoutCause.ts';

/**
 * Rewrites `throw new Error('…');` as `throw new Error('…', { cause: error });`. Refuses if a supported runtime or the
 * compiler's settings do not know `cause`, if a comment follows the message, or if the caught error needs a name and
 * none is free.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text, tree, absolutePath } = context;
  const node = findOpportunityNode(
    context,
    (candidate): candidate is ts.ThrowStatement => ts.isThrowStatement(candidate) && parseLostCause(candidate) !== null,
  );
  const lostCause = node && parseLostCause(node);
  if (!lostCause) return refuse('There is no longer an error here that loses its cause.');
  const { newError, handler } = lostCause;
  const message = newError.arguments?.[0];
  if (/\/[/*]/.test(text.slice(message?.end ?? newError.expression.end, newError.end)))
    return refuse('A comment follows the message.');
  const errorName = lostCause.caughtName ?? findFreeName(handler);
  if (errorName === null) return refuse('The names `error` and `cause` have another meaning there.');
  const causeRefusal = explainNoCause(tree, absolutePath, text);
  if (causeRefusal !== null) return refuse(causeRefusal);
  const isTyped = /\.[cm]?tsx?$/.test(absolutePath);
  const cause = `{ cause${errorName === 'cause' ? '' : `: ${errorName}`} }`;
  const newText = applyReplacements(text, [
    ...(lostCause.caughtName === null ? [createNameReplacement(handler, errorName)] : []),
    message
      ? { start: message.end, end: message.end, text: `, ${cause}` }
      : { start: newError.expression.end, end: newError.end, text: `(undefined, ${cause})` },
  ]);
  if (isTyped && !addsNoProblems(context, newText))
    return refuse("The project's compiler settings do not know `cause`: `lib` must include ES2022.");
  return {
    text: newText,
    title: `keep ${errorName} as the cause of the new ${newError.expression.getText(sourceFile)}`,
    rationale: `The error that is thrown keeps its kind and its message. Its cause is the error that was caught, so traces and loggers show both.`,
  };
}

/** A name for the caught error that the handler does not use otherwise; null if there is none. */
function findFreeName(handler: ErrorHandler): string | null {
  const code = handler.getText();
  return ['error', 'cause'].find((name) => !new RegExp(`\\b${name}\\b`).test(code)) ?? null;
}

/** Gives the caught error a name: replaces `catch {` by `catch (error) {`, and `() =>` by `(error) =>`. */
function createNameReplacement(handler: ErrorHandler, name: string): Replacement {
  if (!ts.isCatchClause(handler)) return { start: handler.parameters.pos, end: handler.parameters.pos, text: name };
  const keywordEnd = handler.getStart() + 'catch'.length;
  return { start: keywordEnd, end: keywordEnd, text: ` (${name})` };
}

/** True if the compiler reports the same errors for the changed text as for the present text. */
function addsNoProblems({ tree, absolutePath, text }: RecipeContext, newText: string): boolean {
  const project = openProject(tree, absolutePath, text);
  try {
    const problemsBefore = project.problems().join('\n');
    project.setText(newText);
    return project.problems().join('\n') === problemsBefore;
  } finally {
    project.service.dispose();
  }
}
