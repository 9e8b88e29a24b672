// The context that the features of the language server share.

import type {
  Connection,
  Emitter,
  InitializeParams,
  ServerCapabilities,
  TextDocuments,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Nights } from '../app/nights/windowNights.ts';
import type { Notice, Opportunity, Proposal } from '../core/model.ts';
import type { Judgement } from '../core/model/judgement.ts';
import type { Session } from '../core/session.ts';
import type { TextAnalysis } from '../core/model/texts.ts';
import type { BaseChoice } from '#protocol/reports';
import type { Settings } from '../settings/schema.ts';
import type { ClientAbilities } from './clientAbilities.ts';
import type { Log } from '../core/ports/system.ts';
import type { EditorModels } from '../core/ports/editorModels.ts';
import type { TreeWriter } from '../core/ports/files.ts';
import type { Progress } from '../core/operation.ts';
import type { IndexSwitch } from './indexSwitch.ts';

export interface OpenOptions {
  readonly rootDir: string;
  readonly settings: Settings;
  /** Sentences about settings that were not accepted. */
  readonly settingsProblems: readonly string[];
  readonly trusted: boolean;
  readonly writer: (disk: TreeWriter) => TreeWriter;
  /** Undefined: the client has none. */
  readonly editorModels?: EditorModels | undefined;
  /** Undefined: the client stores none. */
  readonly storedKeys?: ReadonlyMap<string, string> | undefined;
}

/** Judges the working tree against a base, in a temporary folder. */
export interface Judging {
  bases(rootDir: string, signal: AbortSignal): Promise<readonly BaseChoice[]>;
  /** `settings` null: the defaults. Throws as `judgeRevisions` does. */
  judge(request: {
    readonly rootDir: string;
    readonly base: string;
    readonly settings: Settings | null;
    readonly signal: AbortSignal;
    report?(progress: Progress): void;
    note(text: string): void;
  }): Promise<Judgement>;
}

/** What the server needs from outside. */
export interface ServerDependencies {
  readonly log: Log;
  /** Creates the session of a folder; the caller opens it. Throws SelfwareError. */
  openSession(options: OpenOptions): Promise<{ readonly session: Session; readonly notices: readonly Notice[] }>;
  readonly judging: Judging;
  /** Loaded when it is first needed. */
  nights(): Promise<Nights>;
  /** Folder with the pages of the rules, `ID/rule.md` each. */
  readonly rulesDir: string;
}

/** Events about changes that the user sees. */
export interface ServerEvents {
  /** Paths whose opportunities have changed; null = any. */
  readonly opportunities: Emitter<{ readonly repository: Repository; readonly paths: readonly string[] | null }>;
  /** What is shown of an open document has changed, although its text has not. */
  readonly looked: Emitter<{ readonly repository: Repository; readonly path: string; readonly uri: string }>;
  readonly status: Emitter<Repository | null>;
  /** A repository was opened (again): settings, trust and results may differ. */
  readonly opened: Emitter<Repository>;
}

export interface ServerContext extends ServerDependencies {
  readonly connection: Connection;
  readonly abilities: ClientAbilities;
  readonly documents: TextDocuments<TextDocument>;
  readonly repositories: Repositories;
  readonly live: LiveDocuments;
  readonly editorModels: EditorModels | undefined;
  /** Keys of models by host, as the client last sent them; undefined if it stores none. Never logged. */
  readonly storedKeys: Map<string, string> | undefined;
  readonly events: ServerEvents;
  /** Settings that the client pushed (didChangeConfiguration), for clients without workspace/configuration. */
  pushedSettings: unknown;
  /** Shows a verified proposal to the person; returns at once. */
  readonly offerReview: (repository: Repository, proposal: Proposal) => void;
}

/** A feature registers its handlers and returns its part of the server's capabilities. */
export interface FeatureParts {
  readonly capabilities?: Partial<ServerCapabilities>;
  /** Runs after the client's `initialized`; only now may the server send requests. */
  readonly initialized?: () => Promise<void> | void;
}

export type Feature = (context: ServerContext, params: InitializeParams) => FeatureParts;

export interface Repository {
  readonly uri: string;
  readonly name: string;
  /** The root as the client names it. */
  readonly rootDir: string;
  readonly trusted: boolean;
  /** Null until the client was asked. */
  readonly settings: Settings | null;
  readonly progress: Progress | null;
  readonly indexSwitch: IndexSwitch;
  /** Why there is no session, and other notices for the user. */
  readonly notices: readonly Notice[];
  /** True if the session can be used without waiting. */
  readonly isOpen: boolean;
  /** Counts openings: results of an earlier opening are out of date. */
  readonly generation: number;
  /** Path of a document relative to the root, or null if it is not in this folder. */
  pathOf(uri: string): string | null;
  uriOf(path: string): string;
  /** Waits until the session is open. Throws the reason if it could not be opened. */
  session(): Promise<Session>;
  /** Runs a command of the user; the session is not replaced meanwhile. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Files that the person saved in the editor since the folder was opened. */
  readonly saved: Set<string>;
  /** Indexes these files (paths relative to the root) soon, because they were written or deleted. */
  scheduleIndex(paths: readonly string[]): void;
  /** Updates the index now if something is scheduled. */
  settleIndex(): Promise<void>;
  /** Indexes the whole folder in the background, after running work. */
  indexAgain(): void;
  /** Opens the folder (again) with the current settings and trust. */
  open(trusted: boolean): Promise<void>;
  /** Opens the folder again if the settings have changed. */
  refreshSettings(): Promise<void>;
  close(): Promise<void>;
}

export interface Repositories {
  readonly trusted: boolean;
  all(): readonly Repository[];
  /** The innermost folder that contains a document, and its path there. */
  locate(uri: string): { readonly repository: Repository; readonly path: string } | null;
  /**
   * The folder for requests that name none: the one that the person has selected, else the first. Throws `unavailable`
   * if there is none.
   */
  chosen(): Repository;
  /** Selects a folder by its URI. It may be added later; until then nothing is selected. */
  choose(uri: string | null): void;
  /** The folder whose session knows this id; the selected one is asked first, and returned if none knows it. */
  owner(knows: (session: Session) => Promise<boolean>): Promise<Repository>;
  add(folder: { readonly uri: string; readonly name: string }): Promise<void>;
  remove(uri: string): Promise<void>;
  setTrusted(trusted: boolean): Promise<void>;
  close(): Promise<void>;
}

export interface Place {
  readonly repository: Repository;
  readonly path: string;
}

export interface LiveDocuments {
  /** Analyses the newest version, even if it changes while the caller waits. Versions in between are skipped. */
  look(uri: string): Promise<TextAnalysis>;
  /** Analyses a file on disk that is not open: right after a write, the stored analysis is of the earlier text. */
  lookClosed(place: Place): Promise<readonly Opportunity[]>;
  /** What is known now, of this version or an earlier one. Null: nothing yet. */
  latest(uri: string): TextAnalysis | null;
  /** The document was saved or opened: results about the whole project belong to this text. */
  saved(uri: string): void;
  /** Something outside of the text has changed: analyses it again soon, and reports a new result. */
  again(uri: string): void;
  forget(uri: string): void;
}
