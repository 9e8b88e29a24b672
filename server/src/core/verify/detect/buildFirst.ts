// Makes a test command that runs the package script `build` first.

import { shellLine, type DetectedCommand } from './command.ts';
import type { Project } from './project.ts';

/**
 * The test command after the script `build`, with the `pre` and `post` scripts of both. Null if the tests are not a
 * package script, if there is no script `build` or it watches files, or if the tests build already.
 */
export function behindBuild(project: Project, tests: DetectedCommand): DetectedCommand | null {
  const scripts = project.manifest?.scripts ?? {};
  if (!tests.source.startsWith('package script') || /(^|\s)(--watch|-w)(\s|$)/.test(scripts['build'] ?? ''))
    return null;
  const name = tests.script?.name;
  const testScripts =
    name === undefined ? tests.command : [scripts[`pre${name}`], scripts[name], scripts[`post${name}`]];
  const texts = testScripts.filter((text) => text !== undefined);
  if (!scripts['build']?.trim() || texts.some((text) => /\bbuild\b/.test(text))) return null;
  const build = [scripts['prebuild'], scripts['build'], scripts['postbuild']].filter((text) => text !== undefined);
  return shellLine(project, `${tests.source} behind "build"`, [...build, ...texts].join(' && '));
}
