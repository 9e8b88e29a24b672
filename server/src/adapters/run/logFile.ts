// Manages the log of a detached process. All processes of a run append to it; once it exceeds a size, its content is
// moved aside.

import { closeSync, copyFileSync, mkdirSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Maximum number of bytes of a log. Together with its previous content, it takes twice as much. */
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Runs `use` with the handle of the file, which is created if it is missing. Each write goes to its end. Throws the
 * errors of the system.
 */
export function useLogFile<T>(path: string, use: (file: number) => T): T {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'a', 0o600);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

/** Appends a line to the log. A log that cannot be written stays as it is. */
export function appendToLog(path: string, line: string): void {
  try {
    useLogFile(path, (file) => writeSync(file, `${line}\n`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

/**
 * Moves the content of a log to `PATH.old` once it is too large. The processes that write to the log keep it open, so
 * the file stays the same and becomes empty. A log that cannot be moved stays as it is.
 */
export function limitLog(path: string, maxBytes = MAX_BYTES): void {
  try {
    if (statSync(path).size <= maxBytes) return;
    copyFileSync(path, `${path}.old`);
    truncateSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
