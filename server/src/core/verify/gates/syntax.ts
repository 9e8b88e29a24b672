// What parsed before still parses.

import { counted, failed, passed, type Gate } from '../gate.ts';
import { added, type Problem } from '../parse/problem.ts';

export const syntax: Gate = async ({ edits, context }) => {
  const fresh: Problem[] = [];
  for (const { path, before, after } of edits) {
    if (after === null) continue;
    const problems = await problemsOf(path, after);
    if (problems.length === 0) continue;
    fresh.push(...added(before === null ? [] : await problemsOf(path, before), problems, withoutPlaces));
  }
  if (fresh.length > 0) return failed(`${counted(fresh.length, 'new syntax problem')}: ${fresh.slice(0, 3).map(({ path, message }) => `${path}: ${message}`).join('; ')}`, { problems: fresh.length });
  return passed('The edited texts parse as before.', { files: edits.length });

  async function problemsOf(path: string, text: string): Promise<Problem[]> {
    return (await context.syntaxProblems(path, text)).map((message) => ({ path, code: '', message }));
  }
};

/** Lines and columns move with an edit. */
function withoutPlaces({ path, message }: Problem): string {
  return `${path}\0${message.replace(/\d+/g, '#')}`;
}
