// Gate 5: the repository's own linter finds no more of any kind in the touched files than before.

import { detectLint } from '../detect/lintCommand.ts';
import { unknown, type Gate } from '../gate.ts';
import { compareProblems } from './comparing.ts';

export const lint: Gate = async (run, signal) => {
  if (!run.context.trusted) return unknown('Not run: the workspace is not trusted.');
  const linter = detectLint(await run.project(), run.context.settings.lintCommand);
  if (!linter) return unknown('No linter was found.');
  const command = linter.command(run.edits.filter(({ after }) => after !== null).map(({ path }) => path));
  if (!command) return unknown(`No touched file is one that ${linter.name} looks at.`);
  const onBase = linter.command(run.edits.filter(({ before }) => before !== null).map(({ path }) => path));
  return compareProblems({
    noun: 'lint problem',
    candidate: await run.candidate(command, signal),
    base: async () => onBase && run.base(onBase, signal),
    parse: ({ stdout, output }) => linter.parse(linter.json ? stdout : output),
    // Messages may quote what was renamed; what counts is how many of a kind a file has.
    keyOf: ({ path, code }) => `${path}\0${code}`,
  });
};
