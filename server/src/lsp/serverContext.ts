// What the features of the language server share.

import type {
  Connection,
  Emitter,
  InitializeParams,
  ServerCapabilities,
  TextDocuments,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Notice, Opportunity, Proposal } from '../core/model.ts';
import type { Judgement } from '../core/model/judgement.ts';
import type { Session, TextAnalysis } from '../core/session.ts';
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
  /** What of the settings was not taken, as sentences. */
  readonly settingsProblems: readonly string[];
  readonly trusted: boolean;
  readonly writer: (disk: TreeWriter) => TreeWriter;
  /** Undefined: the client has none. */
  readonly editorModels?: EditorModels | undefined;
}

/** Judges the working tree beside a base, in a temporary folder. */
export interface Judging {
  bases(rootDir: string, signal: AbortSignal): Promise<readonly BaseChoice[]>;
  /** `settings` null: the usual ones. Throws as `judgeRevisions` does. */
  judge(asked: {
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
  /** Makes the session of a folder; it is opened by the caller. Throws SelfwareError. */
  openSession(options: OpenOptions): Promise<{ readonly session: Session; readonly notices: readonly Notice[] }>;
  readonly judging: Judging;
  /** Folder of the rules' documentation (one `ID.md` each). */
  readonly rulesDir: string;
}

/** Something that the user sees has changed. */
export interface ServerEvents {
  /** Paths whose opportunities changed; null = any. */
  readonly opportunities: Emitter<{ readonly repository: Repository; readonly paths: readonly string[] | null }>;
  /** An open document was looked at again by itself, and there is news. */
  readonly looked: Emitter<{ readonly repository: Repository; readonly path: string; readonly uri: string }>;
  readonly status: Emitter<Repository | null>;
  /** A repository was opened (again): settings, trust and results may be others. */
  readonly opened: Emitter<Repository>;
}

export interface ServerContext extends ServerDependencies {
  readonly connection: Connection;
  readonly abilities: ClientAbilities;
  readonly documents: TextDocuments<TextDocument>;
  readonly repositories: Repositories;
  readonly live: LiveDocuments;
  readonly editorModels: EditorModels | undefined;
  readonly events: ServerEvents;
  /** Settings that the client pushed (didChangeConfiguration), for clients without workspace/configuration. */
  pushedSettings: unknown;
  /** Puts a verified proposal before the person; returns at once. */
  readonly offerReview: (repository: Repository, proposal: Proposal) => void;
}

/** A feature registers its handlers and says what it brings to the server's capabilities. */
export interface FeatureParts {
  readonly capabilities?: Partial<ServerCapabilities>;
  /** Runs after the client's `initialized`; only now may the server send requests. */
  readonly initialized?: () => Promise<void> | void;
}

export type Feature = (context: ServerContext, params: InitializeParams) => FeatureParts;

export interface Repository {
  readonly uri: string;
  readonly name: string;
  /** As the client names it. */
  readonly rootDir: string;
  readonly trusted: boolean;
  /** Null until the client was asked. */
  readonly settings: Settings | null;
  readonly progress: Progress | null;
  readonly indexSwitch: IndexSwitch;
  /** Why there is no session, and whatever else the user should know. */
  readonly notices: readonly Notice[];
  /** Whether there is a session to ask at once. */
  readonly isOpen: boolean;
  /** Counts openings: results of an older one are out of date. */
  readonly generation: number;
  /** Path relative to the root of a document in this folder, else null. */
  pathOf(uri: string): string | null;
  uriOf(path: string): string;
  /** Waits until the session is open. Throws why it could not be opened. */
  session(): Promise<Session>;
  /** Runs a command of the user; the session is not exchanged meanwhile. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Files that the person saved in the editor since the folder was opened. */
  readonly saved: Set<string>;
  /** These files (paths relative to the root) were written or deleted: index them soon, once. */
  scheduleIndex(paths: readonly string[]): void;
  /** Brings the index up to date now if something is scheduled. */
  settleIndex(): Promise<void>;
  /** Looks at the whole folder in the background, after what runs. */
  indexAgain(): void;
  /** (Re-)opens with the settings and the trust of now. */
  open(trusted: boolean): Promise<void>;
  /** Re-opens when the settings have changed. */
  refreshSettings(): Promise<void>;
  close(): Promise<void>;
}

export interface Repositories {
  readonly trusted: boolean;
  all(): readonly Repository[];
  /** The folder that a document lies in (the innermost one) and its path there. */
  locate(uri: string): { readonly repository: Repository; readonly path: string } | null;
  /**
   * Serves requests that name no folder: the one that the person has chosen, else the first. Throws `unavailable`
   * without any.
   */
  chosen(): Repository;
  /** By its URI. It may be added later; one that never comes chooses nothing. */
  choose(uri: string | null): void;
  /** The folder whose session knows this id, the chosen one asked first; the chosen one when none does. */
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
  /** Of the newest version, even when it changes while the caller waits. Versions in between are never looked at. */
  look(uri: string): Promise<TextAnalysis>;
  /**
   * Of a file that nobody has open, as it is on disk: right after a change was written, what was analysed is of the
   * text before it.
   */
  lookClosed(place: Place): Promise<readonly Opportunity[]>;
  /** What is known now, of this version or one before. Null: nothing yet. */
  latest(uri: string): TextAnalysis | null;
  /** The document was written or read: what the whole project tells of it belongs to this text. */
  saved(uri: string): void;
  /** What is known outside of the text has changed: looked at in full soon, and told if there is news. */
  again(uri: string): void;
  forget(uri: string): void;
}
