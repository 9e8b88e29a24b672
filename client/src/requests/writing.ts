// A text that a person writes: its document, and the answer that is waited for. VS Code replaces documents meanwhile: it
// closes one that gets another language, and an untitled one that is saved to a file. It empties an untitled document
// before it closes it.

/** What counts of a document; each vscode.TextDocument has it. */
export interface TextHolder {
  readonly uri: { toString(): string };
  readonly isClosed: boolean;
  getText(): string;
}

/**
 * What the end of a document means: it was a different document, the text continues in a second one, or the text is
 * closed.
 */
export type DocumentEnd = 'other' | 'moved' | 'closed';

/** A text that a person writes. It may be waited for several times, one after the other. */
export interface WrittenText<Document extends TextHolder> {
  /** The document that holds the text. Closed if the text is. */
  readonly document: Document;
  /** As the person left it, also after the document was closed. */
  text(): string;
  /** True once the person chooses Done; false if they cancel. The first answer after the call counts. */
  waitForAnswer(): Promise<boolean>;
  /** Has no effect while nobody waits. */
  answer(isDone: boolean): void;
  noteChanged(document: Document): void;
  noteSaved(document: Document): void;
  /** `open`: the documents that are open now. */
  noteClosed(closedDocument: Document, open: readonly Document[]): DocumentEnd;
  /** The text continues in this document. */
  moveTo(document: Document): void;
}

/** Begins with a document that is open. */
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
      // Savers may change white space.
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
