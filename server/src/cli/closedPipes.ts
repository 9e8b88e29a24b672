// Handles output whose reader has closed the pipe, as in `selfware search … | head`.

/** Lets the command run to its end without output, because a closed pipe must not interrupt work on a repository. */
export function tolerateClosedPipes(
  streams: readonly NodeJS.WritableStream[] = [process.stdout, process.stderr],
): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
