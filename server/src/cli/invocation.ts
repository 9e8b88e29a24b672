// Provides the parts that all subcommands share: the options --repo, --json, --no-color, --set and --untrusted, the
// session, the line of progress, and the reaction to Ctrl+C.

import { Command, Option } from 'commander';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CheckedOutCopy } from '../app/checkOut.ts';
import { createApp } from '../app/createApp.ts';
import { readOwnSettings, type OwnSettings } from '../app/ownSettings.ts';
import { mergeSettings, loadEffectiveSettings } from '../app/teamSettings.ts';
import { createStderrLog } from '../adapters/system/system.ts';
import {
  createColors,
  supportsControl,
  writeError,
  writeJson,
  writeOut,
  type Colors,
} from '../adapters/system/terminal.ts';
import { registerProcess } from '../adapters/system/runningProcesses.ts';
import type { Notice } from '../core/model.ts';
import type { Session } from '../core/session.ts';
import { readSettings, type Settings } from '../settings/schema.ts';
import { findLooserSettings } from '../settings/teamWord.ts';
import { SelfwareError } from '../util/typedError.ts';
import { handleInterruption } from './interruption.ts';
import { refuseLoosening } from './person.ts';
import { createProgressLine } from './writers/progressLine.ts';
import type { Progress } from '../core/operation.ts';

/**
 * Sets the exit code. 0: done. 1: done, and there is something for a person to act on. 2: it could not be done, as
 * after an error. 64 and 65: for a supervisor (`WORKER_EXIT`).
 */
export type SetExitCode = (code: 0 | 1 | 2 | 64 | 65) => void;
/** Creates a subcommand. It may call `setExitCode` once its outcome is known. */
export type CommandFactory = (setExitCode: SetExitCode) => Command;

/** The parsed options that all subcommands share. */
export interface CommonOptions {
  readonly repo: string;
  readonly json?: boolean;
  readonly color: boolean;
  readonly set: readonly string[];
  readonly untrusted?: boolean;
}

/** What the body of a subcommand gets. `out` and `outJson` print to stdout; `note` and `report` print to stderr. */
export interface Invocation {
  readonly session: Session;
  readonly settings: Settings;
  /** The settings of the person for the command line, from the file outside the repository. */
  readonly ownSettings: OwnSettings;
  readonly signal: AbortSignal;
  readonly json: boolean;
  readonly colors: Colors;
  readonly rootDir: string;
  report(progress: Progress): void;
  out(text: string): void;
  /** Prints one JSON document, as one line, to stdout. */
  outJson(value: unknown): void;
  note(text: string): void;
}

/** Creates a subcommand with the common options. */
export function createCommand(name: string, description: string): Command {
  return addCommonOptions(new Command(name).description(description));
}

/** Creates a command with subcommands. Common options may be before or after the name of the subcommand. */
export function createCommandGroup(name: string, description: string): Command {
  return addCommonOptions(new Command(name).description(description))
    .enablePositionalOptions()
    .hook('preSubcommand', (parent, subcommand) => {
      for (const option of parent.options) {
        const attribute = option.attributeName();
        if (parent.getOptionValueSource(attribute) === 'cli')
          subcommand.setOptionValueWithSource(attribute, parent.getOptionValue(attribute), 'cli');
      }
    });
}

/** Adds the options that all subcommands share to a command. */
function addCommonOptions(target: Command): Command {
  return target
    .option('--repo <dir>', 'the repository', process.cwd())
    .option('--json', 'one JSON document on stdout')
    .option('--no-color', 'no colours')
    .addOption(
      new Option('--set <name=value>', 'a setting, e.g. --set charter.maxChanges=3 (repeatable)')
        .argParser((value: string, values: readonly string[]) => [...values, value])
        .default([] as readonly string[], 'none'),
    )
    .option('--untrusted', 'only index and analyse; run nothing of the repository');
}

/** The options with which a session is opened. */
export interface CliSessionOptions extends CommonOptions {
  /** False if the session opens without search, which is faster. Default: true. */
  readonly searches?: boolean;
  /**
   * True for a server for agents. Then `--set` may not loosen the settings of the person, even if a person has started
   * the server.
   */
  readonly agent?: boolean;
  /** Another state of the repository, used instead of the working tree. */
  readonly copy?: CheckedOutCopy;
  /** The person's settings in the editor that started this process. */
  readonly editor?: Readonly<Record<string, unknown>>;
}

/**
 * Opens a session, runs the body and closes the session. A signal of the system cancels the operation
 * (`handleInterruption`). Throws the errors of `loadProcessSettings`, those of opening the session, and those of the
 * body.
 */
export async function withSession(
  options: CliSessionOptions,
  body: (invocation: Invocation) => Promise<void>,
): Promise<void> {
  const { rootDir, ownSettings, settings, problems } = await loadProcessSettings(options);
  const { signal } = handleInterruption();
  const env = options.copy?.env ?? process.env;
  const log = createStderrLog(process.env.SELFWARE_DEBUG ? 'debug' : 'error');
  const progressLine = createProgressLine();
  const { session } = await createApp({
    rootDir,
    settings,
    settingsProblems: problems,
    ownSettings: ownSettings.summary,
    trusted: !options.untrusted,
    env,
    log,
    searches: options.searches ?? true,
    ...(options.copy ? { packagesOf: options.copy.originalRoot, setUpIn: options.copy.originalStateFolder } : {}),
  });
  const registration = await registerProcess(rootDir, env, { agent: options.agent ?? false }).catch(
    async (error: unknown) => {
      await session.close();
      throw error;
    },
  );
  const colors = createColors(
    options.color && !process.env.NO_COLOR && !options.json && supportsControl(process.stdout.isTTY),
  );
  try {
    const notices = await session.open({ signal });
    const note = (text: string) => {
      progressLine.clear();
      writeError(text);
    };
    for (const problem of problems) note(`warning: ${problem}`);
    const printNotice = ({ severity, message, action }: Notice) =>
      note(`${severity}: ${message}${action ? ` ${action}` : ''}`);
    notices.forEach(printNotice);
    session.subscribe((event) => event.type === 'notice' && printNotice(event.notice));
    await body({
      session,
      settings,
      ownSettings,
      signal,
      json: options.json ?? false,
      colors,
      rootDir,
      report: (progress) => progressLine.show(progress),
      out: (text) => {
        progressLine.clear();
        writeOut(text);
      },
      outJson: (value) => {
        progressLine.clear();
        writeJson(value);
      },
      note,
    });
  } finally {
    progressLine.clear();
    await session.close();
    await registration.release();
  }
}

/**
 * The settings that apply in this process. Throws `usage` if `--set` names an unknown setting or has an invalid value,
 * or if the root is not a folder. Throws `forbidden` if `--set` loosens a setting that this session may not loosen.
 */
export async function loadProcessSettings(options: CliSessionOptions): Promise<
  Pick<Invocation, 'rootDir' | 'ownSettings' | 'settings'> & {
    readonly problems: readonly string[];
    /** The person's settings by name: from their own file, their editor, and the options of this command. */
    readonly personal: Readonly<Record<string, unknown>>;
  }
> {
  const optionSettings = parseSettings(options.set);
  const optionProblems = readSettings(optionSettings).problems;
  if (optionProblems.length)
    throw new SelfwareError('usage', optionProblems.join(' ').replaceAll(' The default is used.', ''));
  const rootDir = resolve(options.copy?.tree ?? options.repo);
  requireFolder(rootDir);
  const ownSettings = readOwnSettings(process.env);
  const personal = mergeSettings(ownSettings.rawSettings, options.editor ?? {});
  const personalWithOptions = mergeSettings(personal, optionSettings);
  const { settings, problems: teamProblems } = loadEffectiveSettings(rootDir, personalWithOptions);
  const loosenedNames = findLooserSettings(
    loadEffectiveSettings(rootDir, personal).settings,
    settings,
    Object.keys(optionSettings),
  );
  await refuseLoosening(loosenedNames, ownSettings, options.agent ?? false);
  return {
    rootDir,
    ownSettings: ownSettings,
    settings,
    problems: [...ownSettings.problems, ...teamProblems],
    personal: personalWithOptions,
  };
}

/** The settings by name, from pairs `name=value`. The settings of single rules are merged. */
function parseSettings(pairs: readonly string[]): Record<string, unknown> {
  return pairs.reduce<Record<string, unknown>>((settings, pair) => {
    const [name = '', ...valueParts] = pair.split('=');
    return mergeSettings(settings, { [name.replace(/^selfware\./, '')]: parseValue(valueParts.join('=')) });
  }, {});
}

/** The value of a JSON text; a text that is not JSON is the value itself. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Throws `usage` if the root is a file, because it would otherwise fail later with an unclear error. */
function requireFolder(rootDir: string): void {
  if (!/^(?:ENOTDIR|file)$/.test(readKind(rootDir))) return;
  throw new SelfwareError('usage', `${rootDir} is not a folder.`, { action: 'Name the folder of a repository.' });
}

/** `folder`, `file`, or the error code of the system. */
function readKind(path: string): string {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}
