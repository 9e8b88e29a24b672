// Follows a text that a person writes in an editor, until they choose Done or Cancel. VS Code may replace its document
// meanwhile: it closes a document whose language is changed, and an untitled document that is saved to a file. It
// empties an untitled document before closing it.

/** The needed part of a vscode.TextDocument. */
export interface TextHolder {
  readonly uri: { toString(): string };
  readonly isClosed: boolean;
  getText(): string;
}

/**
 * The result of closing a document: it was not the document of the text (`other`), the text continues in another
 * document (`moved`), or the text is closed (`closed`).
 */
export type DocumentEnd = 'other' | 'moved' | 'closed';

/** A text that a person writes. `waitForAnswer` may be called several times, one after the other. */
export interface WrittenText<Document extends TextHolder> {
  /** The document that holds the text. It is closed if the person has closed the text. */
  readonly document: Document;
  /** The current text; after the document was closed, the last text that was not blank. */
  text(): string;
  /** True once the person chooses Done; false if they cancel. The first answer after the call counts. */
  waitForAnswer(): Promise<boolean>;
  /** Settles the pending `waitForAnswer`; has no effect if there is none. */
  answer(isDone: boolean): void;
  noteChanged(document: Document): void;
  /** To be called for each document that is saved: the text may continue in it. */
  noteSaved(document: Document): void;
  /** To be called for each document that closes. `openDocuments`: the documents that are open now. */
  noteClosed(closedDocument: Document, open: readonly Document[]): DocumentEnd;
  /** Continues the text in this document. */
  moveTo(document: Document): void;
}

/** Begins to follow the text of an open document. */
export function createWriting<Document extends TextHolder>(first: Document): WrittenText<Document> {
  let document = first;
  let lastText = first.getText();
  let settle: ((isDone: boolean) => void) | null = null;
  const savedAs: Document[] = [];
  const noteChanged = (changed: Document): void => {
    const text = changed === document ? changed.getText() : '';
    if (text.trim() !== '') lastText = text;
  };
  return {
    get document() {
      return document;
    },
    text: () => (document.isClosed ? lastText : document.getText()),
    waitForAnswer() {
      noteChanged(document);
      return new Promise((resolve) => (settle = resolve));
    },
    answer(isDone) {
      settle?.(isDone);
      settle = null;
    },
    noteChanged,
    noteSaved(saved) {
      // Formatting on save may change white space.
      if (saved !== document && removeWhiteSpace(saved.getText()) === removeWhiteSpace(lastText)) savedAs.push(saved);
    },
    noteClosed(closedDocument, open) {
      if (closedDocument !== document) return 'other';
      const next =
        open.find((candidate) => isSamePlace(candidate, closedDocument)) ??
        savedAs.findLast((candidate) => candidate !== closedDocument && !candidate.isClosed);
      if (!next) return 'closed';
      document = next;
      noteChanged(next);
      return 'moved';
    },
    moveTo(next) {
      document = next;
      noteChanged(next);
    },
  };
}

/** True if both documents have the same URI. */
export function isSamePlace(left: TextHolder, right: TextHolder): boolean {
  return left.uri.toString() === right.uri.toString();
}

function removeWhiteSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
