// Creates a test command that runs the package script `build` or `compile` first.

import { createShellCommand, type DetectedCommand } from './command.ts';
import type { DetectedProject } from './project.ts';

/** Package scripts that create what the tests load, the usual one first. */
const BUILD_SCRIPTS = ['build', 'compile'] as const;
const WATCH_PATTERN = /(^|\s)(--watch|-w)(\s|$)/;
const TEST_CALL_PATTERN = /\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:-s\s+)?test\b/;

/**
 * The test command after the script `build`, with the `pre` and `post` scripts of both. Uses `compile` instead if
 * `build` is missing, watches files or also runs the tests. Null if the tests are not a package script, if there is no
 * such script that ends, or if the tests already build.
 */
export function addBuildFirst(project: DetectedProject, tests: DetectedCommand): DetectedCommand | null {
  const scripts = project.manifest?.scripts ?? {};
  if (!tests.source.startsWith('package script')) return null;
  const listScriptTexts = (name: string) =>
    [scripts[`pre${name}`], scripts[name], scripts[`post${name}`]].filter((text) => text !== undefined);
  const usableScripts = BUILD_SCRIPTS.filter((name) => scripts[name]?.trim() && !WATCH_PATTERN.test(scripts[name]));
  const script = usableScripts.find((name) => !TEST_CALL_PATTERN.test(scripts[name]!)) ?? usableScripts[0];
  const testTexts = tests.script ? listScriptTexts(tests.script.name) : tests.command;
  if (script === undefined || testTexts.some((text) => new RegExp(`\\b${script}\\b`).test(text))) return null;
  return createShellCommand(
    project,
    `${tests.source} behind "${script}"`,
    [...listScriptTexts(script), ...testTexts].join(' && '),
  );
}
