// Follows a text that a person writes in an editor, until they choose Done or Cancel. VS Code may replace its document
// meanwhile: it closes a document whose language is changed, and an untitled document that is saved to a file. It
// empties an untitled document before closing it.

/** The needed part of a vscode.TextDocument. */
export interface TextDocumentLike {
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
export interface WrittenText<Document extends TextDocumentLike> {
  /** The document that holds the text. It is closed if the person has closed the text. */
  readonly document: Document;
  /** The current text; after the document was closed, the last text that was not blank. */
  text(): string;
  /** True once the person chooses Done; false if they cancel. The first answer after the call counts. */
  waitForAnswer(): Promise<boolean>;
  /** Settles the pending `waitForAnswer`; has no effect if there is none. */
  answer(isDone: boolean): void;
  /** To be called for each document whose text changes, so that the last text that is not blank is known. */
  noteChanged(document: Document): void;
  /** To be called for each document that is saved: the text may continue in it. */
  noteSaved(document: Document): void;
  /** To be called for each document that closes. `openDocuments`: the documents that are open now. */
  noteClosed(closedDocument: Document, openDocuments: readonly Document[]): DocumentEnd;
  /** Continues the text in this document. */
  moveTo(document: Document): void;
}

/** Begins to follow the text of an open document. */
export function createWriting<Document extends TextDocumentLike>(firstDocument: Document): WrittenText<Document> {
  let document = firstDocument;
  let lastText = firstDocument.getText();
  let settle: ((isDone: boolean) => void) | null = null;
  const savedCopies: Document[] = [];
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
      if (saved !== document && removeWhiteSpace(saved.getText()) === removeWhiteSpace(lastText))
        savedCopies.push(saved);
    },
    noteClosed(closedDocument, openDocuments) {
      if (closedDocument !== document) return 'other';
      const nextDocument =
        openDocuments.find((candidate) => haveSameUri(candidate, closedDocument)) ??
        savedCopies.findLast((candidate) => candidate !== closedDocument && !candidate.isClosed);
      if (!nextDocument) return 'closed';
      document = nextDocument;
      noteChanged(nextDocument);
      return 'moved';
    },
    moveTo(nextDocument) {
      document = nextDocument;
      noteChanged(nextDocument);
    },
  };
}

/** True if both documents have the same URI. */
export function haveSameUri(left: TextDocumentLike, right: TextDocumentLike): boolean {
  return left.uri.toString() === right.uri.toString();
}

function removeWhiteSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
