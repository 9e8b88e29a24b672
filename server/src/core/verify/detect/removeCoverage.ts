// Removes the measuring of coverage from a test command: `nyc mocha` becomes `mocha`.

import { createShellCommand, type DetectedCommand } from './command.ts';
import { removeCoverageOptions, removeCoverageProgram } from './coverageWords.ts';
import { joinCommands } from './expandScript.ts';
import { detectLauncher, type DetectedProject } from './project.ts';
import { detectRunner } from './testRunner.ts';
import { parseScriptCommands } from './removeChecks.ts';

/**
 * The test script without its coverage, which takes time and does not affect the results of tests. Null if it measures
 * none, if a person has set the command, or if its text is not a plain sequence of commands.
 */
export function removeCoverage(command: DetectedCommand, project: DetectedProject): DetectedCommand | null {
  const scriptCommands = parseScriptCommands(command, project);
  const lastCommand = scriptCommands?.at(-1);
  if (!scriptCommands || !lastCommand) return null;
  const runner = detectRunner({ source: '', command: [joinCommands([lastCommand])], shell: true }, project)?.name;
  const words =
    runner === 'vitest' || runner === 'jest'
      ? removeCoverageOptions(lastCommand.words)
      : removeCoverageProgram(lastCommand.words);
  if (runner === undefined || words === null) return null;
  const commandLine = joinCommands(
    [...scriptCommands.slice(0, -1), { ...lastCommand, words }],
    detectLauncher(project),
  );
  return createShellCommand(project, `${command.source} without its coverage`, commandLine);
}
