// Reads files in /proc, which belong to processes that may end at any time.

import { readFileSync } from 'node:fs';

/** Codes of the errors of reading a file of a process that has ended or belongs to another user. */
const PROCESS_GONE_CODES: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

/**
 * The text of a file in /proc; empty if the process has ended or belongs to another user. Throws other errors of the
 * system. Synchronous, because awaiting hundreds of such files costs more than reading them.
 */
export function readProcFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (PROCESS_GONE_CODES.has((error as NodeJS.ErrnoException).code)) return '';
    throw error;
  }
}
