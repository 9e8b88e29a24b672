// Provides VS Code with the texts of `selfware-proposal:` documents: the sides of reviews, evidence and reports. They
// are virtual, so a pending proposal never touches a real file.

import * as vscode from 'vscode';
import type { ReviewFile } from '#protocol/review';
import type { Server } from '../server/languageClient.ts';
import type { Drafts } from './drafts.ts';
import type { ReportPages } from '../pages/reportPages.ts';
import type { PreviewTexts } from './previewTexts.ts';
import {
  parseExplainUri,
  isReportUri,
  parseProposalUri,
  proposalScheme,
  createProposalUri,
  type ProposalPlace,
} from './proposalUri.ts';
import type { Reviews } from './reviews.ts';
import { isDecidable } from './reviewText.ts';

/** The services that provide the texts. */
export interface ContentParts {
  readonly server: Server;
  readonly reviews: Reviews;
  readonly drafts: Drafts;
  readonly previews: PreviewTexts;
  readonly pages: ReportPages;
}

/**
 * The text of one document. `writable`: true if the person may edit it. `mtime`: the time of its last change, in
 * milliseconds since the epoch; 0 if it has never changed.
 */
interface Content {
  readonly text: string;
  readonly writable: boolean;
  readonly mtime: number;
}

/**
 * Registers a virtual file system for the documents. A text document content provider would not suffice, because only
 * the tabs of a file system are restored when the window is reloaded; VS Code then waits until the server has started.
 * Two kinds of documents are writable: the right side of a waiting proposal, whose text is stored as a draft, and the
 * documents of a Refactor Preview.
 */
export function registerProposalContent({ server, reviews, drafts, previews, pages }: ContentParts): vscode.Disposable {
  const fileChanged = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /**
   * The time when each proposal last changed, in milliseconds since the epoch: a newer time makes VS Code read an open
   * evidence page again.
   */
  const changedAtByProposal = new Map<string, number>();
  const throwNoPermissions = (): never => {
    throw vscode.FileSystemError.NoPermissions('Files cannot be added to a proposal or removed from it.');
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: fileChanged.event,
    watch: () => new vscode.Disposable(() => {}),
    stat: async (uri) => {
      const { text, writable, mtime } = await readContent(uri);
      return {
        type: vscode.FileType.File,
        ctime: 0,
        mtime,
        size: new TextEncoder().encode(text).byteLength,
        ...(writable ? {} : { permissions: vscode.FilePermission.Readonly }),
      };
    },
    readFile: async (uri) => new TextEncoder().encode((await readContent(uri)).text),
    writeFile: async (uri, bytes) => {
      const place = parseProposalUri(uri);
      if (!place || !(await readContent(uri)).writable) throw vscode.FileSystemError.NoPermissions(uri);
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      if (place.side === 'preview') previews.put(uri, text);
      else await drafts.put(place.proposal, place.path, text === (await findFile(place)).after ? null : text);
      fileChanged.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    },
    readDirectory: () => [],
    createDirectory: throwNoPermissions,
    delete: throwNoPermissions,
    rename: throwNoPermissions,
  };
  const reviewSubscription = reviews.onChange((proposal) => {
    changedAtByProposal.set(proposal, Date.now());
    const openUris = vscode.workspace.textDocuments
      .map(({ uri }) => uri)
      .filter((uri) => parseProposalUri(uri)?.proposal === proposal);
    if (openUris.length > 0) fileChanged.fire(openUris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  });
  const pageSubscription = pages.onChange((uri) => fileChanged.fire([{ type: vscode.FileChangeType.Changed, uri }]));
  return vscode.Disposable.from(
    fileChanged,
    reviewSubscription,
    pageSubscription,
    vscode.workspace.registerFileSystemProvider(proposalScheme, provider, { isCaseSensitive: true }),
  );

  async function readContent(uri: vscode.Uri): Promise<Content> {
    if (isReportUri(uri)) {
      const { text, at } = pages.get(uri);
      return { text, writable: false, mtime: at };
    }
    const explainedPlace = parseExplainUri(uri);
    if (explainedPlace) return createReadOnlyContent((await server.explain(explainedPlace)).markdown);
    const place = parseProposalUri(uri);
    if (!place) throw vscode.FileSystemError.FileNotFound(uri);
    if (place.side === 'evidence')
      return {
        text: (await server.evidence(place.proposal)).markdown,
        writable: false,
        mtime: changedAtByProposal.get(place.proposal) ?? 0,
      };
    const file = await findFile(place);
    if (place.side === 'before') return createReadOnlyContent(file.before);
    if (place.side === 'preview')
      return { text: previews.get(uri)?.text ?? file.before, writable: true, mtime: previews.get(uri)?.at ?? 0 };
    const draft = drafts.get(place.proposal, place.path);
    const review = await reviews.get(place.proposal);
    return { text: draft?.text ?? file.after, writable: isDecidable(review) && !file.deleted, mtime: draft?.at ?? 0 };
  }

  async function findFile({ proposal, side, path }: ProposalPlace): Promise<ReviewFile> {
    const file = (await reviews.get(proposal)).files.find((candidate) => candidate.path === path);
    if (!file) throw vscode.FileSystemError.FileNotFound(createProposalUri({ proposal, side, path }));
    return file;
  }
}

function createReadOnlyContent(text: string): Content {
  return { text, writable: false, mtime: 0 };
}
