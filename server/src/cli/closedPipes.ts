// Handles output that nobody reads any longer, such as a closed pipe in `selfware search … | head` or a closed
// terminal, and a log for which there is no space.

/** Error codes of the system for a lack of space. */
const DISK_FULL_CODES: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

type Output = NodeJS.EventEmitter & { readonly isTTY?: boolean };

/**
 * Lets the command run to its end without output, because a closed pipe must not interrupt work on a repository.
 * `isLog`: the output is the log of a run, which continues without it while the disk is full.
 */
export function tolerateClosedPipes(
  isLog = false,
  streams: readonly Output[] = [process.stdout, process.stderr],
): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A closed terminal reports EIO; for a file, that is a broken disk.
      const isClosed = error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY === true);
      if (!isClosed && !(isLog && DISK_FULL_CODES.has(error.code))) throw error;
    });
  }
}

/** True if these arguments start the supervisor of a run or its worker, whose output is a log. */
export function writesLog(args: readonly string[]): boolean {
  return args[0] === 'supervise' || args.includes('--supervised');
}
