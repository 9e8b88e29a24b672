// Stores the terms of each document one after the other in one array, because an array per document would take more
// memory than its terms.

import { COUNT_BITS, type Postings } from './postings.ts';

/** The terms of documents, by number of the document. */
export interface TermLists {
  /** Adds a document. `document` must be the next number. `entries`: its terms, packed as (term, count). */
  add(document: number, entries: Uint32Array): void;
  /** The terms of a document, packed as (term, count). Valid until the next `add`. */
  termsOf(document: number): Uint32Array;
}

/**
 * Creates the lists. `storedDocuments`: documents whose lists are computed from the postings at the first use of the lists,
 * because queries do not need them.
 */
export function createTermLists(
  storedDocuments: { readonly documents: number; readonly terms: number; readonly postings: Postings } | null = null,
): TermLists {
  let starts = new Uint32Array(1024);
  let entries = new Uint32Array(4096);
  let pendingDocuments = storedDocuments;
  const settle = (): void => {
    if (!pendingDocuments) return;
    ({ starts, entries } = transpose(pendingDocuments));
    pendingDocuments = null;
  };
  return {
    add(document, newTerms) {
      settle();
      const from = starts[document]!;
      if (document + 1 >= starts.length) starts = enlarge(starts, starts.length * 2);
      if (from + newTerms.length > entries.length)
        entries = enlarge(entries, Math.max(entries.length * 2, from + newTerms.length));
      entries.set(newTerms, from);
      starts[document + 1] = from + newTerms.length;
    },
    termsOf(document) {
      settle();
      return entries.subarray(starts[document], starts[document + 1]);
    },
  };
}

/** Computes the lists of the first `documents` documents from the postings. Each list is sorted by term number. */
function transpose({
  documents,
  terms,
  postings,
}: {
  readonly documents: number;
  readonly terms: number;
  readonly postings: Postings;
}): { starts: Uint32Array<ArrayBuffer>; entries: Uint32Array<ArrayBuffer> } {
  const starts = new Uint32Array(documents + 1024);
  for (let term = 0; term < terms; term++)
    postings.forEachDocument(term, (document) => document < documents && starts[document + 1]!++);
  for (let document = 0; document < documents; document++) starts[document + 1]! += starts[document]!;
  const nextPositions = starts.slice(0, documents);
  const entries = new Uint32Array(starts[documents]!);
  for (let term = 0; term < terms; term++) {
    postings.forEachDocument(term, (document, count) => {
      if (document < documents) entries[nextPositions[document]!++] = ((term << COUNT_BITS) | count) >>> 0;
    });
  }
  return { starts, entries };
}

function enlarge(array: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(size);
  larger.set(array);
  return larger;
}
