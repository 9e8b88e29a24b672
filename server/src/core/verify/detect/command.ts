// A command that a gate may run, and its source.

import type { Service } from '../../model/setup.ts';
import type { ReportFormat } from '../parse/testReport.ts';
import { flattenScript, joinCommands } from './expandScript.ts';
import { detectPackageManager, type ProgramName, type DetectedProject, type PackageManager } from './project.ts';
import { shellQuoteIfNeeded } from './shellWords.ts';

/** A command with everything that it needs in order to run. */
export interface DetectedCommand {
  /** The source of the command, for people: `package script "test"`, `setting`, `tsconfig.json`. */
  readonly source: string;
  readonly command: readonly string[];
  /** True if `command` has one element, a line for the shell. */
  readonly shell: boolean;
  /**
   * Set for a package script, which its package manager runs. `command` contains the text of the script, and `plain`
   * the programs that it runs, for a machine without that package manager.
   */
  readonly script?: { readonly manager: PackageManager; readonly name: string; readonly plain: string };
  /**
   * Additional arguments for the program at the end of the command. `depth`: number of package scripts that lead to it,
   * including the first.
   */
  readonly args?: { readonly words: readonly string[]; readonly depth: number };
  readonly env?: Readonly<Record<string, string>>;
  /** Programs that run next to the command in the sandbox. */
  readonly services?: readonly Service[];
  /** Folder relative to the work tree; if absent, the root. */
  readonly cwd?: string;
  /** A time limit in milliseconds, if it is lower than the one in the settings. */
  readonly timeoutMs?: number;
  /** Set if peak memory is to be measured. */
  readonly peak?: true;
  /**
   * The report that the command writes about its tests, with its path relative to the work tree. `isBegunEarly`: the
   * file exists before the first test runs, so it does not show whether the tests are over.
   */
  readonly report?: { readonly path: string; readonly format: ReportFormat; readonly isBegunEarly?: true };
}

/** The command line as a person would type it. */
export function formatTypedLine({ command, script }: DetectedCommand): string {
  return script ? `${script.manager} run ${script.name}` : command.join(' ');
}

/**
 * The words to execute: a call of the package manager or, if the package manager does not work here, the programs that
 * the script runs.
 */
export function findWordsToRun(
  { command, shell, script, args }: DetectedCommand,
  isManagerUsable: boolean,
): Pick<DetectedCommand, 'command' | 'shell'> {
  const words = args?.words ?? [];
  if (script && !isManagerUsable)
    return { command: [[script.plain, ...words.map(shellQuoteIfNeeded)].join(' ')], shell: true };
  if (!script)
    return words.length === 0
      ? { command, shell }
      : { command: [[...command, ...words.map(shellQuoteIfNeeded)].join(' ')], shell: true };
  // npm removes `--` from the words after the name of the script; the other package managers pass all words on.
  const separators =
    script.manager === 'npm' && words.length > 0 ? Array.from({ length: args!.depth }, () => '--') : [];
  return { command: [script.manager, 'run', script.name, ...separators, ...words], shell: false };
}

/** The command that the person has set; null if the setting is empty. */
export function createCommandFromSetting(setting: string): DetectedCommand | null {
  return setting.trim() === '' ? null : { source: 'setting', command: [setting.trim()], shell: true };
}

/** The package script of this name, called through the package manager; null if it does not exist. */
export function findPackageScript(project: DetectedProject, name: string): DetectedCommand | null {
  const text = project.manifest?.scripts[name];
  if (text === undefined || text.trim() === '') return null;
  const flatCommand = flattenScript(project, name);
  return {
    source: `package script "${name}"`,
    command: [text],
    shell: true,
    script: { manager: detectPackageManager(project), name, plain: flatCommand ? joinCommands(flatCommand) : text },
    ...createFolderOption(project),
  };
}

/** A command line for the shell that runs in the folder of the project. */
export function createShellCommand(project: DetectedProject, source: string, text: string): DetectedCommand {
  return { source, command: [text], shell: true, ...createFolderOption(project) };
}

/**
 * The command for a program of the repository, in the folder of the project. If the program was not found there, the
 * command is its bare name.
 */
export function createRepositoryCommand(
  project: DetectedProject,
  source: string,
  name: ProgramName,
  ...args: string[]
): DetectedCommand {
  return {
    source,
    command: [...(project.programs.get(name) ?? [name]), ...args],
    shell: false,
    ...createFolderOption(project),
  };
}

/** A program of the machine that runs in the folder of the project. */
export function createMachineCommand(project: DetectedProject, source: string, ...command: string[]): DetectedCommand {
  return { source, command, shell: false, ...createFolderOption(project) };
}

function createFolderOption({ folder }: DetectedProject): Pick<DetectedCommand, 'cwd'> {
  return folder === '' ? {} : { cwd: folder };
}
