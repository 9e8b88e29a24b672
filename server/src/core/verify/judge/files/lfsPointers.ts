// Reports that tests need files of Git LFS which are missing here, so that they fail with and without the change.

import type { TreeChange } from '../../../model/judgement.ts';
import { formatCount, unknown, type GateAnswer } from '../../answer.ts';

/** The notes for a person about files of Git LFS, as sentences. */
export function createPointerNotes({ pointers = [] }: TreeChange): readonly string[] {
  if (pointers.length === 0) return [];
  const verb = pointers.length === 1 ? 'is a pointer' : 'are pointers';
  return [
    `${formatCount(pointers.length, 'file')} ${verb} of Git LFS, whose content is not here: tests that read it fail.`,
  ];
}

/** The answer of the tests; unknown if tests that also fail without the change mention a file of Git LFS. */
export function unknownIfLfsPointers(answer: GateAnswer, { pointers = [] }: TreeChange): GateAnswer {
  const { failed, output } = answer.evidence;
  if (answer.outcome !== 'passed' || Number(failed ?? 0) === 0) return answer;
  const path = pointers.find((pointer) => String(output ?? '').includes(getFileName(pointer)));
  if (path === undefined) return answer;
  return unknown(
    `${answer.reason} What fails names ${path}, whose content is in Git LFS and not here.`,
    answer.evidence,
  );
}

function getFileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
