// Creates the evidence of a verdict about a command of the repository.

import type { GateAnswer } from './answer.ts';
import type { CommandAnswer } from './commands.ts';

/**
 * The evidence of a verdict about a command. Only if the command failed, it includes the size of the output in tokens
 * and the messages of the package manager.
 */
export function createCommandEvidence({
  line,
  exitCode,
  millis,
  isolation,
  output,
  outputTokens,
  packageManager,
}: CommandAnswer): GateAnswer['evidence'] {
  const managerEvidence: GateAnswer['evidence'] = packageManager && exitCode !== 0 ? { packageManager } : {};
  const sizeEvidence: GateAnswer['evidence'] = outputTokens === undefined || exitCode === 0 ? {} : { outputTokens };
  const seconds = Math.round(millis / 100) / 10;
  return { command: line, exitCode, seconds, isolation, output, ...sizeEvidence, ...managerEvidence };
}
