// Identifies a task, so that its attempts are counted across proposers.

import { sha256 } from '../../../util/hash.ts';
import { computeRequestTaskId } from '../../model/asks.ts';
import type { TaskRequest } from './askTypes.ts';

/** The id of a task; equal requests have equal ids. */
export function taskId(request: TaskRequest): string {
  // Accepted tests do not change the id of the task, so that its attempts still count.
  if ('words' in request) return computeRequestTaskId(request.words);
  if ('acceptance' in request) return `acceptance ${sha256(request.acceptance.trim()).slice(0, 16)}`;
  if ('migration' in request) return `migration ${sha256(request.migration.trim()).slice(0, 16)}`;
  if ('gain' in request) return `${request.gain} ${request.metric}`;
  if ('tests' in request) return `tests ${request.tests}`;
  return 'fix' in request ? `fix ${request.fix}` : `opportunity ${request.opportunity}`;
}
