// What a person has typed into the right side of reviews. It survives a reload and a restart, until the proposal is decided on.

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
  forget(proposal: string): Promise<void>;
}

const memoryKey = 'selfware.drafts';

export function createDrafts(memory: vscode.Memento): Drafts {
  const all = (): Readonly<Record<string, Readonly<Record<string, Draft>>>> => memory.get(memoryKey, {});
  return {
    get: (proposal, path) => all()[proposal]?.[path] ?? null,
    put: async (proposal, path, text) => {
      const { [path]: _, ...others } = all()[proposal] ?? {};
      await memory.update(memoryKey, { ...all(), [proposal]: text === null ? others : { ...others, [path]: { text, at: Date.now() } } });
    },
    forget: async (proposal) => {
      const { [proposal]: _, ...others } = all();
      await memory.update(memoryKey, others);
    },
  };
}

/** The files that the person has changed, what is not saved yet included. */
export function correctedTexts(review: Review, drafts: Drafts): readonly CorrectedText[] {
  return review.files.flatMap(({ path, after }) => {
    const text = openSide(review.id, path)?.getText() ?? drafts.get(review.id, path)?.text ?? after;
    return text === after ? [] : [{ path, after: text }];
  });
}

/** Brings what was typed to the drafts, so that nobody is asked about an unsaved document when the review closes. */
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
