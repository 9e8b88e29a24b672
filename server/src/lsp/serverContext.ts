// What the features of the language server share.

import type {
  Connection,
  Emitter,
  InitializeParams,
  ServerCapabilities,
  TextDocuments,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Notice } from '../core/model.ts';
import type { Log, TreeWriter } from '../core/ports.ts';
import type { Session } from '../core/session.ts';
import type { Settings } from '../settings/schema.ts';
import type { ClientAbilities } from './clientAbilities.ts';
import type { LiveDocuments } from './liveDocuments.ts';
import type { Repositories } from './repositories.ts';
import type { Repository } from './repository.ts';

export interface OpenOptions {
  readonly rootDir: string;
  readonly settings: Settings;
  /** What of the settings was not taken, as sentences. */
  readonly settingsProblems: readonly string[];
  readonly trusted: boolean;
  readonly writer: (disk: TreeWriter) => TreeWriter;
}

/** What the server needs from outside. */
export interface ServerDependencies {
  readonly log: Log;
  /** Makes the session of a folder; it is opened by the caller. Throws SelfwareError. */
  openSession(options: OpenOptions): Promise<{ readonly session: Session; readonly notices: readonly Notice[] }>;
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
  readonly events: ServerEvents;
  /** Settings that the client pushed (didChangeConfiguration), for clients without workspace/configuration. */
  pushedSettings: unknown;
}

/** A feature registers its handlers and says what it brings to the server's capabilities. */
export interface FeatureParts {
  readonly capabilities?: Partial<ServerCapabilities>;
  /** Runs after the client's `initialized`; only now may the server send requests. */
  readonly initialized?: () => Promise<void> | void;
}

export type Feature = (context: ServerContext, params: InitializeParams) => FeatureParts;
