// A command that a gate would run, and where it comes from.

import type { Project } from './project.ts';

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

export interface DetectedCommand {
  /** For people: `package script "test"`, `setting`, `tsconfig.json`. */
  readonly source: string;
  readonly command: readonly string[];
  /** `command` has one element, a line for the shell. */
  readonly shell: boolean;
  /**
   * A package script is run by its package manager; `command` holds the script's own text, for a machine on which that
   * manager is not installed.
   */
  readonly script?: { readonly manager: PackageManager; readonly name: string };
}

/** The line as a person would type it. */
export function shown({ command, script }: DetectedCommand): string {
  return script ? `${script.manager} run ${script.name}` : command.join(' ');
}

/** Null when the setting is empty. */
export function fromSetting(setting: string): DetectedCommand | null {
  return setting.trim() === '' ? null : { source: 'setting', command: [setting.trim()], shell: true };
}

export function packageScript(project: Project, name: string): DetectedCommand | null {
  const text = project.manifest?.scripts[name];
  if (text === undefined || text.trim() === '') return null;
  return { source: `package script "${name}"`, command: [text], shell: true, script: { manager: packageManagerOf(project), name } };
}

export function program(source: string, ...command: string[]): DetectedCommand {
  return { source, command, shell: false };
}

/** By the manifest's packageManager field, else by the lock file, else npm. */
export function packageManagerOf({ manifest, files }: Project): PackageManager {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(manifest?.packageManager ?? '')?.[1];
  if (named) return named as PackageManager;
  if (files.has('pnpm-lock.yaml')) return 'pnpm';
  if (files.has('yarn.lock')) return 'yarn';
  if (files.has('bun.lock') || files.has('bun.lockb')) return 'bun';
  return 'npm';
}
