// Turns a command line into one that runs within its limits, and in isolation if an isolation mechanism works here.

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderOverlay } from './enclosure.ts';
import { createTemporaryEnvironment, type Environment, type SandboxFolders } from '../environment.ts';
import { limitCommand, type CommandLimits } from '../limits.ts';
import { removeTree } from '../removeTree.ts';
import { writeCallFilter } from './callFilter.ts';
import type { CommandLine, Mechanism } from './mechanism.ts';
import {
  findReachableSockets,
  createScratchFolders,
  findShortTemporaryFolder,
  type VisiblePaths,
} from './visiblePaths.ts';

/** Encloses the commands of one sandbox. */
export interface Encloser {
  /** Additional environment variables for the commands. */
  readonly env: Environment;
  /** False if a daemon runs the commands, so that the system does not show them as processes of this process. */
  readonly isVisible: boolean;
  /**
   * The command line that runs `command` in `cwd`, enclosed. `run`: the number of the command in its sandbox, by which
   * it gets temporary files that other commands do not see.
   */
  enclose(command: CommandLine, cwd: string, run: number): Promise<CommandLine>;
  /** Removes the temporary folders of the command with this number. */
  release(run: number): Promise<void>;
}

/** Creates the encloser of a sandbox. Without a mechanism, commands run within their limits only. */
export async function createEncloser(
  mechanism: Mechanism | null,
  places: VisiblePaths,
  { scratch, temporary }: Pick<SandboxFolders, 'scratch' | 'temporary'>,
  limits: CommandLimits,
  overlays: readonly FolderOverlay[],
): Promise<Encloser> {
  if (mechanism === null)
    return {
      env: {},
      isVisible: true,
      enclose: async (command) => limitCommand(command, limits),
      release: async () => undefined,
    };
  const shortTemporary = mechanism.canMount ? await findShortTemporaryFolder() : null;
  return {
    env: shortTemporary === null ? {} : createTemporaryEnvironment(shortTemporary),
    isVisible: mechanism.kind !== 'container',
    async enclose(command, cwd, run) {
      const commandFolders = await createScratchFolders(join(scratch, String(run)));
      const visiblePaths = {
        ...places,
        scratch: commandFolders.map((place) =>
          place.path === shortTemporary ? { path: place.path, source: temporary } : place,
        ),
      };
      for (const { source } of visiblePaths.scratch) await mkdir(source, { recursive: true });
      const commandOverlays = overlays.map((overlay, index) => ({
        ...overlay,
        work: join(scratch, String(run), `overlay-${index}`),
      }));
      for (const { work } of commandOverlays) await mkdir(work, { recursive: true });
      const callFilter = await writeCallFilter(mechanism, join(scratch, String(run)));
      // A file that disappeared since the sandbox was opened has no place for a mount.
      const blanked = [
        ...(await findReachableSockets(visiblePaths)),
        ...visiblePaths.blanked.filter((path) => existsSync(path)),
      ];
      return mechanism.enclose(
        command,
        cwd,
        { ...visiblePaths, blanked, callFilter, overlays: commandOverlays },
        limits,
      );
    },
    release: (run) => removeTree(join(scratch, String(run))),
  };
}
