// Which command runs the tests of a repository.

import { fromSetting, packageScript, program, type DetectedCommand } from './command.ts';
import type { Project } from './project.ts';

/** Setting, package script `test`, then pytest, cargo and go by their files. Null: no tests are known of. */
export function detectTests(project: Project, setting: string): DetectedCommand | null {
  return fromSetting(setting) ?? script(project) ?? otherLanguages(project);
}

function script(project: Project): DetectedCommand | null {
  const found = packageScript(project, 'test');
  // What `npm init` writes.
  return found && !/no test specified/i.test(found.command[0] ?? '') ? found : null;
}

function otherLanguages({ files, pyproject }: Project): DetectedCommand | null {
  if (files.has('Cargo.toml')) return program('Cargo.toml', 'cargo', 'test', '--no-fail-fast', '--offline');
  if (files.has('go.mod')) return program('go.mod', 'go', 'test', '-v', './...');
  const sign = ['pytest.ini', 'conftest.py', 'tests/conftest.py'].find((name) => files.has(name)) ?? (pyproject?.includes('[tool.pytest') ? 'pyproject.toml' : null);
  return sign ? program(sign, 'pytest', '-p', 'no:cacheprovider') : null;
}
