// Handles output that nobody reads any more: a closed pipe, as in `selfware search … | head`, and a closed terminal.

/** How the system reports a closed pipe and a closed terminal. */
const CLOSED: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO']);

/** Lets the command run to its end without output, because a closed pipe must not interrupt work on a repository. */
export function tolerateClosedPipes(streams: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!CLOSED.has(error.code)) throw error;
    });
  }
}
