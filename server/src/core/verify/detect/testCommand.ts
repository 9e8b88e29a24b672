// Which command runs the tests of a repository.

import { fromSetting, packageScript, program, type DetectedCommand } from './command.ts';
import type { Project } from './project.ts';

/** A repository that tells its unit tests apart usually has others that need a browser, a service or a network. */
const SCRIPTS = ['test:unit', 'test'];

/** Setting, package script `test:unit` or `test`, then pytest, cargo and go by their files. Null: no tests are known of. */
export function detectTests(project: Project, setting: string): DetectedCommand | null {
  return fromSetting(setting) ?? script(project) ?? otherLanguages(project);
}

function script(project: Project): DetectedCommand | null {
  const found = SCRIPTS.map((name) => packageScript(project, name));
  // What `npm init` writes is no test.
  return found.find((command) => command !== null && !/no test specified|(^|\s)--watch(\s|$)/i.test(command.command[0] ?? '')) ?? null;
}

function otherLanguages({ files, pyproject }: Project): DetectedCommand | null {
  if (files.has('Cargo.toml')) return program('Cargo.toml', 'cargo', 'test', '--no-fail-fast', '--offline');
  if (files.has('go.mod')) return program('go.mod', 'go', 'test', '-v', './...');
  const sign = ['pytest.ini', 'conftest.py', 'tests/conftest.py'].find((name) => files.has(name)) ?? (pyproject?.includes('[tool.pytest') ? 'pyproject.toml' : null);
  return sign ? program(sign, 'pytest', '-p', 'no:cacheprovider') : null;
}
