// The context that the features of the language server share.

import type {
  Connection,
  Emitter,
  InitializeParams,
  ServerCapabilities,
  TextDocuments,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ComponentPlan } from '../app/components.ts';
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
import type { WindowRun } from '../core/session/windowRun.ts';
import type { IndexSwitch } from './indexSwitch.ts';

/** The options with which a session of a folder is created. */
export interface OpenOptions {
  readonly rootDir: string;
  readonly settings: Settings;
  /** Sentences about settings that were refused. */
  readonly settingsProblems: readonly string[];
  readonly trusted: boolean;
  /** Wraps the writer of the disk, so that open documents are edited in the editor. */
  readonly writer: (disk: TreeWriter) => TreeWriter;
  /** The editor's models; undefined if the client has none. */
  readonly editorModels?: EditorModels | undefined;
  /** The keys of models by host; undefined if the client stores none. */
  readonly storedKeys?: ReadonlyMap<string, string> | undefined;
  /** The window whose budgets the session continues. */
  readonly windowRun: WindowRun;
}

/** Judges the working tree against a base, in a temporary folder. */
export interface Judging {
  /** The bases that a person may choose from. */
  bases(rootDir: string, signal: AbortSignal): Promise<readonly BaseChoice[]>;
  /** Identifies the trees that `judge` would compare now. Throws the errors of `identifyRevisions`. */
  identify(request: {
    readonly rootDir: string;
    readonly base: string;
    readonly head: string | null;
    readonly signal: AbortSignal;
  }): Promise<string>;
  /** Judges the change. `settings`: null for the default settings. Throws the errors of `judgeRevisions`. */
  judge(request: {
    readonly rootDir: string;
    readonly base: string;
    /** Null or undefined for the working tree. */
    readonly head?: string | null;
    /** Time limit; null or undefined if there is none. */
    readonly seconds?: number | null;
    readonly settings: Settings | null;
    readonly signal: AbortSignal;
    report?(progress: Progress): void;
    /** Receives sentences for the person while it runs. */
    note(text: string): void;
  }): Promise<Judgement>;
}

/** The optional components of this machine (`app/components.ts`). */
export interface Components {
  plans(): readonly ComponentPlan[];
  /** Throws `usage` for an unknown name. */
  plan(name: string): ComponentPlan;
  /**
   * Resolves with the folder. `onFetched` receives the number of files so far. Throws the errors of
   * `installComponentByName`.
   */
  install(name: string, signal: AbortSignal, onFetched: (count: number) => void): Promise<string>;
  /** The host of embedding models. */
  readonly modelHost: string;
  isDownloaded(model: string): boolean;
  /** Resolves with the folder of an embedding model. Throws the errors of `downloadEmbeddingModel`. */
  download(model: string, signal: AbortSignal, onBytes: (loaded: number, total: number) => void): Promise<string>;
}

/** The parts that the server needs from its caller. */
export interface ServerDependencies {
  readonly log: Log;
  /** Creates the session of a folder; the caller opens it. Throws SelfwareError. */
  openSession(options: OpenOptions): Promise<{ readonly session: Session; readonly notices: readonly Notice[] }>;
  readonly judging: Judging;
  /** Loads the unattended runs at their first use. */
  nights(): Promise<Nights>;
  /** Loads the optional components at their first use. */
  components(): Promise<Components>;
  /** Folder with the pages of the rules, `ID/rule.md` each. */
  readonly rulesDir: string;
}

/** Events about changes that a user can see. */
export interface ServerEvents {
  /** Paths of the files whose opportunities have changed; null if any file may be affected. */
  readonly opportunities: Emitter<{ readonly repository: Repository; readonly paths: readonly string[] | null }>;
  /** The diagnostics of an open document have changed, although its text has not. */
  readonly diagnosticsChanged: Emitter<{
    readonly repository: Repository;
    readonly path: string;
    readonly uri: string;
  }>;
  readonly status: Emitter<Repository | null>;
  /** A repository was opened, perhaps again: settings, trust and results may differ. */
  readonly opened: Emitter<Repository>;
}

/** The services that every feature may use. */
export interface ServerContext extends ServerDependencies {
  readonly connection: Connection;
  readonly abilities: ClientAbilities;
  readonly documents: TextDocuments<TextDocument>;
  readonly repositories: Repositories;
  readonly live: LiveDocuments;
  readonly editorModels: EditorModels | undefined;
  /** What the sessions of this window share. */
  readonly windowRun: WindowRun;
  /** Keys of models by host, as the client last sent them; undefined if it stores none. Never logged. */
  readonly storedKeys: Map<string, string> | undefined;
  readonly events: ServerEvents;
  /** Settings that the client has pushed (didChangeConfiguration), for clients without workspace/configuration. */
  pushedSettings: unknown;
  /** Shows a verified proposal to the person; returns at once. */
  readonly offerReview: (repository: Repository, proposal: Proposal) => void;
}

/** The parts of a feature. It registers its handlers, and returns its share of the server's capabilities. */
export interface FeatureParts {
  readonly capabilities?: Partial<ServerCapabilities>;
  /** Called after the client's `initialized`. Only from then on may the server send requests. */
  readonly initialized?: () => Promise<void> | void;
  /** Ends what the feature runs. */
  readonly close?: () => Promise<void>;
}

/** Adds a feature to the server. Called once, when the client sends `initialize` with `params`. */
export type Feature = (context: ServerContext, params: InitializeParams) => FeatureParts;

/** One workspace folder with its session. */
export interface Repository {
  readonly uri: string;
  readonly name: string;
  /** The root as the client names it. */
  readonly rootDir: string;
  readonly trusted: boolean;
  /** The settings; null before the client was asked. */
  readonly settings: Settings | null;
  readonly progress: Progress | null;
  readonly indexSwitch: IndexSwitch;
  /** Notices for the user, among them the reason why there is no session. */
  readonly notices: readonly Notice[];
  /** True if the session can be used without waiting. */
  readonly isOpen: boolean;
  /** Number of openings. Results of an earlier opening are outdated. */
  readonly generation: number;
  /** Path of a document relative to the root, or null if it is not in this folder. */
  pathOf(uri: string): string | null;
  uriOf(path: string): string;
  /** Waits until the session is open. Throws the reason if it could not be opened. */
  session(): Promise<Session>;
  /** Runs a command of the user. The session is not replaced meanwhile. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Files that the person saved in the editor since the folder was opened. */
  readonly saved: Set<string>;
  /** Indexes these files soon, because they were written or deleted. Paths are relative to the root. */
  scheduleIndex(paths: readonly string[]): void;
  /** Waits until scheduled updates of the index are done. */
  settleIndex(): Promise<void>;
  /** Indexes the whole folder in the background, after the running work. */
  indexAgain(): void;
  /** Opens the folder, perhaps again, with the current settings and trust. */
  open(isTrusted: boolean): Promise<void>;
  /** Opens the folder again if the settings have changed. */
  refreshSettings(): Promise<void>;
  close(): Promise<void>;
}

/** The workspace folders of the window. */
export interface Repositories {
  readonly trusted: boolean;
  all(): readonly Repository[];
  /** The innermost folder that contains a document, and its path there. */
  locate(uri: string): { readonly repository: Repository; readonly path: string } | null;
  /**
   * The folder for requests that name none: the selected one, otherwise the first. Throws `unavailable` if there is
   * none.
   */
  chosen(): Repository;
  /** Selects a folder by its URI. The folder may be added later; until then the first one counts. */
  choose(uri: string | null): void;
  /** The first folder for which `knows` returns true, the selected one first; the selected one if there is none. */
  owner(knows: (session: Session) => Promise<boolean>): Promise<Repository>;
  add(folder: { readonly uri: string; readonly name: string }): Promise<void>;
  remove(uri: string): Promise<void>;
  setTrusted(isTrusted: boolean): Promise<void>;
  close(): Promise<void>;
}

/** A file of a workspace folder, by its path relative to the root. */
export interface Place {
  readonly repository: Repository;
  readonly path: string;
}

/** The analyses of open documents, by URI. */
export interface LiveDocuments {
  /**
   * Analyses the newest version, even if the document changes while the caller waits. Versions in between are skipped.
   */
  analyse(uri: string): Promise<TextAnalysis>;
  /** Analyses a file on disk that is not open. Right after a write, the stored analysis belongs to the earlier text. */
  analyseClosed(place: Place): Promise<readonly Opportunity[]>;
  /** The newest known analysis, of this version or an earlier one; null if there is none. */
  latest(uri: string): TextAnalysis | null;
  /** Call this when the document was saved: results about the whole project then belong to its text. */
  saved(uri: string): void;
  /** Call this when something outside of the text has changed: analyses it again soon, and reports a new result. */
  reanalyse(uri: string): void;
  forget(uri: string): void;
}
