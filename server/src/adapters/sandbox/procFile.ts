// Reads files in /proc, which belong to processes that may end at any time.

import { readFileSync } from 'node:fs';

const PROCESS_GONE_CODES: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

/**
 * The text of a file in /proc; empty if the process has ended or belongs to another user. Synchronous, because awaiting
 * hundreds of such files costs more than reading them.
 */
export function readProcFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (PROCESS_GONE_CODES.has((error as NodeJS.ErrnoException).code)) return '';
    throw error;
  }
}
