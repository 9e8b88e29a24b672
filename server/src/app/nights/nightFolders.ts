// Determines the folders and files in which unattended runs of a repository are stored: in one folder below its state
// folder.

import { join } from 'node:path';
import { resolveStateFolder } from '../../adapters/files/stateFolder.ts';
import type { Environment } from '../../util/values/environment.ts';

/** The folders and files of unattended runs of one repository. */
export interface NightFolders {
  /** State folder of the user's repository. */
  readonly state: string;
  /** The folder for unattended runs, below the state folder. */
  readonly folder: string;
  /** The repository of the run: a copy with a separate branch. */
  readonly tree: string;
  /** The repository in which changes are judged again before the branch is rewritten. */
  readonly replay: string;
  /** The folder for temporary data of git. */
  readonly scratch: string;
  /** The lock that allows only one run per repository. */
  readonly lock: string;
  /** The environment in which the state of the copy is stored. */
  readonly env: Environment;
}

/** The folders of one repository. `rootDir`: the root of its sessions. */
export function resolveNightFolders(rootDir: string, env: Environment): NightFolders {
  const state = resolveStateFolder(rootDir, env);
  const folder = join(state, 'night');
  return {
    state,
    folder,
    tree: join(folder, 'tree'),
    replay: join(folder, 'replay'),
    scratch: join(folder, 'scratch'),
    lock: join(state, 'locks', 'night.lock'),
    env: { ...env, SELFWARE_HOME: join(folder, 'home') },
  };
}
