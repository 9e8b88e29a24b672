// What a person has typed into the right side of reviews. It survives a reload and a restart until the proposal is
// decided.

import * as vscode from 'vscode';
import type { CorrectedText, Review } from '#protocol/review';
import { proposalPlace } from './proposalUri.ts';

export interface Draft {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Drafts {
  get(proposal: string, path: string): Draft | null;
  /** `text` null: as it was proposed. */
  put(proposal: string, path: string, text: string | null): Promise<void>;
  /**
   * What stands unsaved in the editor; null = nothing. It is a draft from the next start on: VS Code's own copy of it
   * does not always come back.
   */
  typed(proposal: string, path: string, text: string | null): Promise<void>;
  forget(proposal: string): Promise<void>;
}

type All<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

const memoryKey = 'selfware.drafts';
const typedKey = 'selfware.typed';

export function createDrafts(memory: vscode.Memento): Drafts {
  const all = (): All<Draft> => memory.get(memoryKey, {});
  const unsaved = (): All<string> => memory.get(typedKey, {});
  const typed: Drafts['typed'] = async (proposal, path, text) => {
    const { [path]: known, ...others } = unsaved()[proposal] ?? {};
    if ((known ?? null) === text) return;
    await memory.update(typedKey, { ...unsaved(), [proposal]: text === null ? others : { ...others, [path]: text } });
  };
  adopt();
  return {
    typed,
    get: (proposal, path) => all()[proposal]?.[path] ?? null,
    put: async (proposal, path, text) => {
      const { [path]: _, ...others } = all()[proposal] ?? {};
      await memory.update(memoryKey, {
        ...all(),
        [proposal]: text === null ? others : { ...others, [path]: { text, at: Date.now() } },
      });
      await typed(proposal, path, null);
    },
    forget: async (proposal) => {
      const { [proposal]: _, ...others } = all();
      await memory.update(memoryKey, others);
      const { [proposal]: __, ...rest } = unsaved();
      await memory.update(typedKey, rest);
    },
  };

  /**
   * The time stays as it was: VS Code, where its own copy comes back, would take a newer one for somebody else's
   * change.
   */
  function adopt(): void {
    const left = Object.entries(unsaved()).filter(([, texts]) => Object.keys(texts).length > 0);
    if (left.length === 0) return;
    const drafts = { ...all() };
    for (const [proposal, texts] of left)
      for (const [path, text] of Object.entries(texts))
        drafts[proposal] = { ...drafts[proposal], [path]: { text, at: drafts[proposal]?.[path]?.at ?? 0 } };
    void memory.update(memoryKey, drafts);
    void memory.update(typedKey, {});
  }
}

const PAUSE_MS = 300;

/**
 * Saves what is typed into reviews, a moment after each pause. Text in a tab that is closed unsaved was meant to be
 * dropped.
 */
export function followTyping(drafts: Drafts): vscode.Disposable {
  const timers = new Map<string, NodeJS.Timeout>();
  const later = (document: vscode.TextDocument, millis: number, text: () => string | null): void => {
    const place = proposalPlace(document.uri);
    if (place?.side !== 'after') return;
    const key = document.uri.toString();
    clearTimeout(timers.get(key));
    timers.set(
      key,
      setTimeout(() => {
        timers.delete(key);
        void drafts.typed(place.proposal, place.path, text());
      }, millis),
    );
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document }) =>
      later(document, PAUSE_MS, () => (document.isDirty ? document.getText() : null)),
    ),
    vscode.workspace.onDidCloseTextDocument((document) => later(document, 0, () => null)),
    { dispose: () => timers.forEach((timer) => clearTimeout(timer)) },
  );
}

/** The files that the person has changed, what is not saved yet included. */
export function correctedTexts(review: Review, drafts: Drafts): readonly CorrectedText[] {
  return review.files.flatMap(({ path, after }) => {
    const text = openSide(review.id, path)?.getText() ?? drafts.get(review.id, path)?.text ?? after;
    return text === after ? [] : [{ path, after: text }];
  });
}

/**
 * Moves what was typed to the drafts, so that VS Code does not ask about an unsaved document when the review closes.
 */
export async function saveSides(review: Review): Promise<void> {
  for (const { path } of review.files) {
    const document = openSide(review.id, path);
    if (document?.isDirty) await document.save();
  }
}

function openSide(proposal: string, path: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri, isClosed }) => {
    const place = isClosed ? null : proposalPlace(uri);
    return place?.side === 'after' && place.proposal === proposal && place.path === path;
  });
}
