// Sentences that say why a command could not be run.

interface FailedCommand {
  readonly line: string;
  readonly missing?: string;
}

/** The sentence about a command whose program was not found. */
export function missingProgramSentence({ line, missing }: FailedCommand): string {
  return missing === undefined
    ? `\`${line}\` could not be started: it is not installed.`
    : `\`${line}\` cannot run: \`${missing}\` was not found.`;
}

/** The sentence about a command whose program is missing only with the change. */
export function missingWithChangeSentence({ line, missing }: FailedCommand): string {
  return `\`${line}\` cannot run with the change, and can without it: \`${missing}\` was not found.`;
}
