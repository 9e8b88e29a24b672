// Handles output whose reader has closed the pipe: `selfware search … | head`.

/**
 * Lets the command continue silently to its end, because work on a repository must not be interrupted when the reader
 * closes the pipe.
 */
export function tolerateClosedPipes(
  streams: readonly NodeJS.WritableStream[] = [process.stdout, process.stderr],
): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
