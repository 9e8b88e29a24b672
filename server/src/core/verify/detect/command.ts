// A command that a gate would run, and where it comes from.

import type { Service } from '../../model/setup.ts';
import type { ReportFormat } from '../parse/testReport.ts';
import { flatScript, lineOf } from './flatScript.ts';
import { packageManagerOf, type ProgramName, type Project, type PackageManager } from './project.ts';
import { quoted } from './shellWords.ts';

export interface DetectedCommand {
  /** For people: `package script "test"`, `setting`, `tsconfig.json`. */
  readonly source: string;
  readonly command: readonly string[];
  /** `command` has one element, a line for the shell. */
  readonly shell: boolean;
  /**
   * A package script is run by its package manager; `command` holds the script's own text, and `plain` the programs
   * that it comes to, for a machine on which that manager is not installed.
   */
  readonly script?: { readonly manager: PackageManager; readonly name: string; readonly plain: string };
  /** Words for the program that the command ends in. `depth`: package scripts on the way to it, itself included. */
  readonly args?: { readonly words: readonly string[]; readonly depth: number };
  readonly env?: Readonly<Record<string, string>>;
  /** Programs that run beside it, inside the sandbox. */
  readonly services?: readonly Service[];
  /** Folder relative to the worktree; the root without it. */
  readonly cwd?: string;
  /** Less than the setting allows. */
  readonly timeoutMs?: number;
  /** The memory that it needs at most is measured. */
  readonly peak?: true;
  /** Where it writes a report of its tests, relative to the worktree. */
  readonly report?: { readonly path: string; readonly format: ReportFormat };
}

/** The line as a person would type it. */
export function shown({ command, script }: DetectedCommand): string {
  return script ? `${script.manager} run ${script.name}` : command.join(' ');
}

/**
 * What is really run, by the package manager or, where that one `works` not, as the programs that the script comes to.
 */
export function spelled(
  { command, shell, script, args }: DetectedCommand,
  works: boolean,
): Pick<DetectedCommand, 'command' | 'shell'> {
  const words = args?.words ?? [];
  if (script && !works) return { command: [[script.plain, ...words.map(quoted)].join(' ')], shell: true };
  if (!script)
    return words.length === 0
      ? { command, shell }
      : { command: [[...command, ...words.map(quoted)].join(' ')], shell: true };
  // npm keeps a `--` to itself; the others hand on whatever follows the script's name.
  const ends = script.manager === 'npm' && words.length > 0 ? Array.from({ length: args!.depth }, () => '--') : [];
  return { command: [script.manager, 'run', script.name, ...ends, ...words], shell: false };
}

/** Null when the setting is empty. */
export function fromSetting(setting: string): DetectedCommand | null {
  return setting.trim() === '' ? null : { source: 'setting', command: [setting.trim()], shell: true };
}

export function packageScript(project: Project, name: string): DetectedCommand | null {
  const text = project.manifest?.scripts[name];
  if (text === undefined || text.trim() === '') return null;
  const plain = flatScript(project, name);
  return {
    source: `package script "${name}"`,
    command: [text],
    shell: true,
    script: { manager: packageManagerOf(project), name, plain: plain ? lineOf(plain) : text },
    ...inFolder(project),
  };
}

/** A line for the shell, run in the project's folder. */
export function line(project: Project, source: string, text: string): DetectedCommand {
  return { source, command: [text], shell: true, ...inFolder(project) };
}

/** A program of the repository, run in the project's folder. */
export function program(project: Project, source: string, name: ProgramName, ...args: string[]): DetectedCommand {
  return { source, command: [project.programs.get(name) ?? name, ...args], shell: false, ...inFolder(project) };
}

/** A program of the machine. */
export function tool(project: Project, source: string, ...command: string[]): DetectedCommand {
  return { source, command, shell: false, ...inFolder(project) };
}

function inFolder({ folder }: Project): Pick<DetectedCommand, 'cwd'> {
  return folder === '' ? {} : { cwd: folder };
}
