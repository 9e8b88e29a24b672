// Counts and lists the files of a judged change.

import type { JudgementBeforePolicy, TreeChange } from '../../model/judgement.ts';

export function countFiles({ edits, bytes, binary, left, renamed }: TreeChange): JudgementBeforePolicy['files'] {
  const paths = new Set([...edits, ...bytes, ...left].map(({ path }) => path));
  const remaining = [
    ...edits.filter(({ after }) => after !== null),
    ...bytes.filter((byteChange) => byteChange.bytes !== null),
  ].map(({ path }) => path);
  return {
    changed: paths.size - renamed.length,
    added: edits.filter(({ before }) => before === null).length - renamed.length,
    deleted: edits.filter(({ after }) => after === null).length - renamed.length,
    renamed: renamed.length,
    binary: binary.length,
    paths: [...paths].sort(),
    remaining: [...new Set(remaining)].sort(),
  };
}
