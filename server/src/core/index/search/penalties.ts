// What speaks against a file before anything is asked.

import type { FileRecord } from '../../indexPorts.ts';
import { GENERATED_PENALTY, pathPenalties } from './weights.ts';

/** Factor for the scores of the file's chunks. */
export function penaltyOf({ path, generated }: Pick<FileRecord, 'path' | 'generated'>): number {
  const ofPath = pathPenalties.reduce((factor, [pattern, penalty]) => (pattern.test(path) ? factor * penalty : factor), 1);
  return generated ? ofPath * GENERATED_PENALTY : ofPath;
}
