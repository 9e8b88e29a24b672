// Checks that files which parsed before still parse.

import type { FileEdit } from '../../../model.ts';
import type { Gate } from '../../gate.ts';
import { findAddedProblems, type Problem } from '../../parse/problem.ts';
import { formatCount, failed, passed, unknown } from '../../answer.ts';

/** Maximum number of problems or files that a sentence lists. */
const MAX_LISTED = 3;

export const gate: Gate = async ({ edits, context }) => {
  const addedProblems: Problem[] = [];
  const unparsedPaths: string[] = [];
  for (const edit of edits) {
    const problems = await compareProblems(edit);
    if (problems) addedProblems.push(...problems);
    else unparsedPaths.push(edit.path);
  }
  const evidence = {
    files: edits.length,
    ...(unparsedPaths.length > 0 ? { notParsed: unparsedPaths.join(', ') } : {}),
  };
  if (addedProblems.length > 0) {
    const problemList = addedProblems
      .slice(0, MAX_LISTED)
      .map(({ path, message }) => `${path}: ${message}`)
      .join('; ');
    return failed(`${formatCount(addedProblems.length, 'new syntax problem')}: ${problemList}`, {
      ...evidence,
      problems: addedProblems.length,
    });
  }
  if (unparsedPaths.length === 0) return passed('The edited texts parse as before.', evidence);
  const moreText = unparsedPaths.length > MAX_LISTED ? `, and ${unparsedPaths.length - MAX_LISTED} more` : '';
  return unknown(`Nothing here can parse ${unparsedPaths.slice(0, MAX_LISTED).join(', ')}${moreText}.`, evidence);

  /** The problems that the edit adds; null if no parser here reads this kind of file. */
  async function compareProblems({ path, before, after }: FileEdit): Promise<readonly Problem[] | null> {
    if (after === null) return [];
    const problems = await findProblems(path, after, before);
    if (!problems || problems.length === 0) return problems;
    return findAddedProblems(
      before === null ? [] : ((await findProblems(path, before, before)) ?? []),
      problems,
      createProblemKey,
    );
  }

  async function findProblems(
    path: string,
    text: string,
    previousText: string | null,
  ): Promise<readonly Problem[] | null> {
    return (
      (await context.syntaxProblems(path, text, previousText))?.map(({ code, message }) => ({ path, code, message })) ??
      null
    );
  }
};

/**
 * Two problems are the same if their keys are equal. A key is the file and the code or, without a code, the file and
 * the message. Numbers in messages are ignored, because an edit moves lines and columns.
 */
function createProblemKey({ path, code, message }: Problem): string {
  return `${path}\0${code === '' ? message.replace(/\d+/g, '#') : code}`;
}
