// Describes the environment of commands in a work tree as one text. It is part of the key of stored results, so that a
// result from other tools, packages or isolation is not used.

import { sha256 } from '../../util/hash.ts';
import type { Sandbox, Worktree } from '../ports/sandbox.ts';
import type { SetUp } from './context.ts';

/** Time limit, in milliseconds, for asking a tool for its version. */
const PROBE_MS = 30_000;
/** Files that show which packages were installed when a result was made. */
export const INSTALLATION_MARKS: readonly string[] = [
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-state.yml',
  'node_modules/.yarn-integrity',
];
/**
 * A Python program that prints its version and the packages that are installed for it, in a virtual environment or
 * elsewhere. The name of a package's folder contains the package's version. The modification time shows that the same
 * version was installed again, which happens with packages that the user develops.
 */
const PYTHON_PACKAGES = `import os, sys
print(sys.version)
for folder in sys.path:
    try:
        for name in sorted(os.listdir(folder)):
            if name.endswith(('.dist-info', '.egg-info', '.egg-link', '.pth')):
                print(os.path.join(folder, name), int(os.stat(os.path.join(folder, name)).st_mtime))
    except OSError:
        pass
`;
/**
 * Commands that print versions. `marks`: files at the root which show that the repository may use the tool; none if it
 * always may.
 */
const TOOL_COMMANDS: readonly { readonly command: readonly string[]; readonly marks: readonly string[] }[] = [
  { command: ['node', '--version'], marks: [] },
  { command: ['go', 'version'], marks: ['go.mod', 'go.work'] },
  { command: ['cargo', '--version'], marks: ['Cargo.toml'] },
  {
    command: ['python3', '-I', '-c', PYTHON_PACKAGES],
    marks: [
      'pyproject.toml',
      'setup.py',
      'setup.cfg',
      'tox.ini',
      'pytest.ini',
      'conftest.py',
      'requirements.txt',
      'Pipfile',
    ],
  },
];

/** The sources of the description besides the work tree. */
export interface EnvironmentSources {
  readonly sandbox: Pick<Sandbox, 'isolation'>;
  readonly setUp?: SetUp;
}

/**
 * Lists the isolation, the set-up, the versions of the tools that the repository may use, and the hashes of the files
 * that show what is installed, one per line.
 */
export async function describeEnvironment(
  worktree: Worktree,
  { sandbox, setUp }: EnvironmentSources,
  signal: AbortSignal,
): Promise<string> {
  const readVersion = async ({ command, marks }: (typeof TOOL_COMMANDS)[number]) => {
    const isUsed = marks.length === 0 || (await Promise.all(marks.map((path) => worktree.exists(path)))).includes(true);
    if (!isUsed) return '';
    const answer = (await worktree.run({ command, timeoutMs: PROBE_MS }, signal)).stdout.trim();
    return answer.includes('\n') ? sha256(answer) : answer;
  };
  const hashFile = async (path: string) => {
    const bytes = await worktree.read(path);
    return bytes ? sha256(new TextDecoder().decode(bytes)) : '';
  };
  const [{ kind }, ...toolVersions] = await Promise.all([
    sandbox.isolation(),
    ...TOOL_COMMANDS.map(readVersion),
    ...INSTALLATION_MARKS.map(hashFile),
  ]);
  return [kind, setUp?.id ?? '', ...toolVersions].join('\n');
}
