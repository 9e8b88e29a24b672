// Defines the result of reading a reply of a language model or an agent: its description, and its edits before they are
// applied to files.

/** The known notations. A proposal records the notation of its reply. */
const REPLY_FORMATS = ['json', 'blocks', 'patch', 'diff', 'files', 'function', 'calls'] as const;
/** A known notation. */
export type ReplyFormat = (typeof REPLY_FORMATS)[number];

/** An edit, with the path as the reply writes it. */
export type ReplyEdit =
  | {
      readonly kind: 'replace';
      readonly file: string;
      readonly search: string;
      readonly replace: string;
      /** True if both texts are whole lines; otherwise `search` may begin and end within a line. */
      readonly byLines: boolean;
      /** A line below which the place is searched. Only some notations have one. */
      readonly below?: string;
      /** The unchanged lines, as pairs of their indexes in both texts, in order. Only some notations mark them. */
      readonly kept?: readonly (readonly [number, number])[];
    }
  /** The whole text of a file; null deletes the file. */
  | { readonly kind: 'file'; readonly file: string; readonly content: string | null }
  /** Lines for the end of a file. */
  | { readonly kind: 'append'; readonly file: string; readonly text: string };

/** A reply that was read successfully. */
export interface ReadReply {
  readonly format: ReplyFormat;
  /** The description in the words of the author; may be empty. */
  readonly description: string;
  readonly edits: readonly ReplyEdit[];
}

/** The reason why a reply is not used, as a sentence. */
export interface ReplyRefusal {
  readonly refused: string;
  /** Present if the text announces a change but contains none. */
  readonly phantom?: true;
}
/** The edits and the description that the reader of one notation finds. */
export type ReplyParts = Omit<ReadReply, 'format'>;
/** Reads a reply in one notation; null if the text is not in this notation. */
export type ReplyReader = (text: string) => ReplyParts | ReplyRefusal | null;

/** The refusal of a reply that was cut off. */
export const TRUNCATED_REPLY: ReplyRefusal = { refused: 'The reply was cut off, so nothing of it is used.' };

/** The first line of prose before the offset `end`, as a description; empty if there is none. */
export function findProseBefore(text: string, end: number): string {
  const line = text
    .slice(0, Math.max(0, end))
    .split('\n')
    .map((sentence) => sentence.trim())
    .find((sentence) => /^[\p{L}\d"'(]/u.test(sentence) && sentence.includes(' '));
  return line ?? '';
}
