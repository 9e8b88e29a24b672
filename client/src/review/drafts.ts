// Stores the edits that a person makes on the right side of a review, until the proposal is decided. They survive a
// reload of the window and a restart of VS Code.

import type { Memento } from 'vscode';

/** The edited text of one file. */
export interface Draft {
  readonly text: string;
  /** The time of the edit in milliseconds since the epoch; 0 if it is unknown. */
  readonly at: number;
}

/** The edited texts of all proposals, by the id of the proposal and the path of the file. */
export interface Drafts {
  get(proposal: string, path: string): Draft | null;
  /** Stores the edited text of a file; `text` null removes it, so that the proposed text counts. */
  put(proposal: string, path: string, text: string | null): Promise<void>;
  /**
   * Stores the unsaved text of an editor; null removes it. At the next start it becomes a draft, because VS Code does
   * not always restore unsaved text itself.
   */
  storeUnsaved(proposal: string, path: string, text: string | null): Promise<void>;
  /** Removes all texts of a proposal. */
  forget(proposal: string): Promise<void>;
}

type ByProposal<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

/** The key under which VS Code stores the drafts for each workspace. */
const DRAFTS_KEY = 'selfware.drafts';
/** The key under which VS Code stores the unsaved texts for each workspace. */
const UNSAVED_KEY = 'selfware.typed';

/** Opens the drafts in `memory`, and turns unsaved texts of the previous run into drafts. */
export function createDrafts(memory: Memento): Drafts {
  const readDrafts = (): ByProposal<Draft> => memory.get(DRAFTS_KEY, {});
  const readUnsaved = (): ByProposal<string> => memory.get(UNSAVED_KEY, {});
  const storeUnsaved: Drafts['storeUnsaved'] = async (proposal, path, text) => {
    const { [path]: previousText, ...others } = readUnsaved()[proposal] ?? {};
    if ((previousText ?? null) === text) return;
    await memory.update(UNSAVED_KEY, {
      ...readUnsaved(),
      [proposal]: text === null ? others : { ...others, [path]: text },
    });
  };
  adoptUnsaved();
  return {
    storeUnsaved,
    get: (proposal, path) => readDrafts()[proposal]?.[path] ?? null,
    put: async (proposal, path, text) => {
      const { [path]: _, ...others } = readDrafts()[proposal] ?? {};
      await memory.update(DRAFTS_KEY, {
        ...readDrafts(),
        [proposal]: text === null ? others : { ...others, [path]: { text, at: Date.now() } },
      });
      await storeUnsaved(proposal, path, null);
    },
    forget: async (proposal) => {
      const { [proposal]: _, ...others } = readDrafts();
      await memory.update(DRAFTS_KEY, others);
      const { [proposal]: __, ...otherProposals } = readUnsaved();
      await memory.update(UNSAVED_KEY, otherProposals);
    },
  };

  /**
   * Turns the unsaved texts of the previous run into drafts. The time of a draft stays unchanged: if VS Code restores
   * its own copy of the text, it would take a newer time for a change by somebody else.
   */
  function adoptUnsaved(): void {
    const unsavedTexts = Object.entries(readUnsaved()).filter(([, texts]) => Object.keys(texts).length > 0);
    if (unsavedTexts.length === 0) return;
    const drafts = { ...readDrafts() };
    for (const [proposal, texts] of unsavedTexts)
      for (const [path, text] of Object.entries(texts))
        drafts[proposal] = { ...drafts[proposal], [path]: { text, at: drafts[proposal]?.[path]?.at ?? 0 } };
    void memory.update(DRAFTS_KEY, drafts);
    void memory.update(UNSAVED_KEY, {});
  }
}
