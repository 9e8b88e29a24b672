// Handles output whose reader has gone: `selfware search … | head`.

/**
 * The command continues silently to its end, because work on a repository must not be cut short by a reader who has
 * seen enough.
 */
export function bearClosedPipes(streams: readonly NodeJS.WritableStream[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
