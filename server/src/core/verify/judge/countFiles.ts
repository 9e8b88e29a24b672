// Counts and lists the files of a judged change.

import type { JudgementBeforePolicy, TreeChange } from '../../model/judgement.ts';

/** Counts the changed files by kind. A renamed file counts once, and neither as added nor as deleted. */
export function countFiles({ edits, bytes, binary, left, renamed }: TreeChange): JudgementBeforePolicy['files'] {
  const paths = new Set([...edits, ...bytes, ...left].map(({ path }) => path));
  const remainingPaths = [
    ...edits.filter(({ after }) => after !== null),
    ...bytes.filter((byteChange) => byteChange.bytes !== null),
  ].map(({ path }) => path);
  const textPaths = new Set(edits.map(({ path }) => path));
  const renamedTextCount = renamed.filter(({ to }) => textPaths.has(to)).length;
  return {
    changed: paths.size - renamed.length,
    added: edits.filter(({ before }) => before === null).length - renamedTextCount,
    deleted: edits.filter(({ after }) => after === null).length - renamedTextCount,
    renamed: renamed.length,
    binary: binary.length,
    paths: [...paths].sort(),
    remaining: [...new Set(remainingPaths)].sort(),
  };
}
