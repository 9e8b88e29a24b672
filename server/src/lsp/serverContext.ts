// Defines the types of the services that the features of the language server share: the context, the repositories, and
// the open documents.

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

/** The options for creating the session of a folder. */
export interface OpenOptions {
  readonly rootDir: string;
  readonly settings: Settings;
  /** Sentences about settings that were refused. */
  readonly settingsProblems: readonly string[];
  readonly trusted: boolean;
  /** Wraps the writer to disk in a writer that edits open documents in the editor. */
  readonly writer: (disk: TreeWriter) => TreeWriter;
  /** The editor's models; undefined if the client has none. */
  readonly editorModels?: EditorModels | undefined;
  /** API keys of models by host; undefined if the client stores none. */
  readonly storedKeys?: ReadonlyMap<string, string> | undefined;
  /** The state of the window, whose budgets apply to all its sessions together. */
  readonly windowRun: WindowRun;
}

/** Runs the checks on changes of the working tree since a base, in a temporary folder. */
export interface Judging {
  /** The bases from which a person may choose. */
  bases(rootDir: string, signal: AbortSignal): Promise<readonly BaseChoice[]>;
  /** A text that identifies the trees that `judge` would compare now. Throws the errors of `identifyRevisions`. */
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
    /** Time limit in seconds; null or undefined for none. */
    readonly seconds?: number | null;
    readonly settings: Settings | null;
    readonly signal: AbortSignal;
    report?(progress: Progress): void;
    /** Receives sentences for the person while the checks run. */
    note(text: string): void;
  }): Promise<Judgement>;
}

/** The optional components of this machine (`app/components.ts`). */
export interface Components {
  /** The plans of all components, installed ones included. */
  plans(): readonly ComponentPlan[];
  /** Throws `usage` for an unknown name. */
  plan(name: string): ComponentPlan;
  /**
   * Installs a component, and resolves with its folder. `onFetched` receives the number of files fetched so far. Throws
   * the errors of `installComponentByName`.
   */
  install(name: string, signal: AbortSignal, onFetched: (count: number) => void): Promise<string>;
  /** The address from which embedding models are downloaded. */
  readonly modelHost: string;
  /** True if the embedding model with this name was downloaded. */
  isDownloaded(model: string): boolean;
  /**
   * Downloads an embedding model, and resolves with its folder. `onBytes` receives the number of bytes so far. Throws
   * the errors of `downloadEmbeddingModel`.
   */
  download(model: string, signal: AbortSignal, onBytes: (loaded: number, total: number) => void): Promise<string>;
}

/** What the server needs from its caller. */
export interface ServerDependencies {
  readonly log: Log;
  /** Creates the session of a folder, which is not open yet. Throws SelfwareError. */
  openSession(options: OpenOptions): Promise<{ readonly session: Session; readonly notices: readonly Notice[] }>;
  readonly judging: Judging;
  /** Loads the unattended runs at their first use. */
  nights(): Promise<Nights>;
  /** Loads the optional components at their first use. */
  components(): Promise<Components>;
  /** Folder with the pages of the rules, `ID/rule.md` each. */
  readonly rulesDir: string;
}

/** The events by which features learn of changes that a user can see. */
export interface ServerEvents {
  /** Opportunities have changed. `paths`: the files in which they have; null if any file may be affected. */
  readonly opportunities: Emitter<{ readonly repository: Repository; readonly paths: readonly string[] | null }>;
  /** The diagnostics of an open document have changed, although its text has not. */
  readonly diagnosticsChanged: Emitter<{
    readonly repository: Repository;
    readonly path: string;
    readonly uri: string;
  }>;
  /** The status of a repository has changed. Null: the person has chosen another folder. */
  readonly status: Emitter<Repository | null>;
  /** A repository was opened, perhaps again. Settings, trust and results may be different now. */
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
  /** The state that the sessions of this window share. */
  readonly windowRun: WindowRun;
  /** API keys of models by host, as the client has last sent them; undefined if it stores none. Never logged. */
  readonly storedKeys: Map<string, string> | undefined;
  readonly events: ServerEvents;
  /**
   * The settings that the client has last pushed (`didChangeConfiguration`). Used if it does not support
   * `workspace/configuration`.
   */
  pushedSettings: unknown;
  /** Shows a verified proposal to the person; returns at once. */
  readonly offerReview: (repository: Repository, proposal: Proposal) => void;
}

/** What a feature adds to the server, apart from the handlers that it has registered. */
export interface FeatureParts {
  readonly capabilities?: Partial<ServerCapabilities>;
  /** Called once the client has sent `initialized`. Before that, the server may not send requests. */
  readonly initialized?: () => Promise<void> | void;
  /** Ends the work of the feature. */
  readonly close?: () => Promise<void>;
}

/**
 * Adds a feature to the server: registers its handlers. Called once, when the client has sent `initialize` with
 * `params`.
 */
export type Feature = (context: ServerContext, params: InitializeParams) => FeatureParts;

/** One workspace folder with its session. */
export interface Repository {
  readonly uri: string;
  readonly name: string;
  /** The absolute path of the folder, as the client names it. */
  readonly rootDir: string;
  readonly trusted: boolean;
  /** The settings; null before they were read. */
  readonly settings: Settings | null;
  /** The progress of the running work; null if nothing is running. */
  readonly progress: Progress | null;
  readonly indexSwitch: IndexSwitch;
  /** Notices for the user. If the session could not be opened, one of them is the reason. */
  readonly notices: readonly Notice[];
  /** True if the session can be used without waiting. */
  readonly isOpen: boolean;
  /** Counts how often the session was opened. Results with an earlier number are outdated. */
  readonly generation: number;
  /** Path of a document relative to the root, or null if it is not in this folder. */
  pathOf(uri: string): string | null;
  uriOf(path: string): string;
  /** Waits until the session is open. Throws the reason if it could not be opened. */
  session(): Promise<Session>;
  /** Runs `work` on the session, which is not closed or replaced meanwhile. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Paths of files that the person has saved in the editor since the folder was added. */
  readonly savedPaths: Set<string>;
  /** Has files indexed soon that were written or deleted. `paths`: relative to the root. */
  scheduleIndex(paths: readonly string[]): void;
  /** Waits until scheduled updates of the index are done. */
  settleIndex(): Promise<void>;
  /** Indexes the whole folder in the background, after the passes that were requested before. */
  indexAgain(): void;
  /** Opens the session with the current settings and this trust; closes the previous one before. */
  open(isTrusted: boolean): Promise<void>;
  /** Opens the session again if the settings have changed. */
  refreshSettings(): Promise<void>;
  close(): Promise<void>;
}

/** The workspace folders of the window. */
export interface Repositories {
  readonly trusted: boolean;
  all(): readonly Repository[];
  /** The innermost repository that contains a document, and the path of the document in it; null if none does. */
  locate(uri: string): { readonly repository: Repository; readonly path: string } | null;
  /**
   * The repository for requests that name no folder: the chosen one, otherwise the first. Throws `unavailable` if no
   * folder is open.
   */
  chosen(): Repository;
  /**
   * Chooses a folder by its URI; null for the first one. The folder may be added later; until then the first one is
   * used.
   */
  choose(uri: string | null): void;
  /**
   * The first repository for which `knows` returns true, beginning with the chosen one. If there is none, the chosen
   * one.
   */
  owner(knows: (session: Session) => Promise<boolean>): Promise<Repository>;
  /** Adds a folder and opens its repository; does nothing if the folder was already added. */
  add(folder: { readonly uri: string; readonly name: string }): Promise<void>;
  /** Removes a folder by its URI, and closes its repository. */
  remove(uri: string): Promise<void>;
  /** Opens all repositories again if the trust in the workspace has changed. */
  setTrusted(isTrusted: boolean): Promise<void>;
  close(): Promise<void>;
}

/** A file of a workspace folder. `path`: relative to the root of the folder. */
export interface Place {
  readonly repository: Repository;
  readonly path: string;
}

/** The analyses of open documents, by URI. */
export interface LiveDocuments {
  /**
   * Analyses the newest version of an open document. If the document changes meanwhile, the result is about the changed
   * text, and versions in between are skipped.
   */
  analyse(uri: string): Promise<TextAnalysis>;
  /**
   * Analyses a file that is not open, with its text on disk: directly after a write, the stored analysis belongs to the
   * previous text.
   */
  analyseClosed(place: Place): Promise<readonly Opportunity[]>;
  /** The last analysis of an open document, which may be of an earlier version; null if there is none. */
  latest(uri: string): TextAnalysis | null;
  /** To be called when the document was saved: results of rules about several files then belong to this text. */
  noteSaved(uri: string): void;
  /**
   * To be called when something outside of the document has changed: analyses the document again soon, and reports new
   * results.
   */
  reanalyse(uri: string): void;
  /** Ends the analysis of a document, and forgets its results. */
  forget(uri: string): void;
}
