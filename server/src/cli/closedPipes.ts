// Keeps a command running if its output cannot be written: nobody reads it any longer (a closed pipe in `selfware

import { isDiskFull } from '../util/typedError.ts';
// search … | head`, or a closed terminal), or the disk is full and the output is a log.

type OutputStream = NodeJS.EventEmitter & { readonly isTTY?: boolean };

/**
 * Lets the command continue without output, because a closed pipe must not interrupt work on a repository. `isLog`: the
 * output is the log of a run, which continues without it while the disk is full. Other errors of the streams are
 * thrown.
 */
export function tolerateClosedPipes(
  isLog = false,
  streams: readonly OutputStream[] = [process.stdout, process.stderr],
): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A closed terminal reports EIO; for a file, EIO means that the disk is broken.
      const isClosed = error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY === true);
      if (!isClosed && !(isLog && isDiskFull(error))) throw error;
    });
  }
}

/** True if these arguments start the supervisor of a run or its worker, whose output is a log. */
export function writesLog(args: readonly string[]): boolean {
  return args[0] === 'supervise' || args.includes('--supervised');
}
