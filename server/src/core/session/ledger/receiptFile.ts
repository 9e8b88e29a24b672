// Exports a receipt as one text together with all texts that it refers to, and checks such a text later.

import { canonicalJson } from '../../../util/canonicalJson.ts';
import { sha256 } from '../../../util/hash.ts';
import { parseJsonOrNull } from '../../../util/parseJson.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import type { SessionContext } from '../context.ts';
import type { Receipt } from './receipts.ts';

/** An exported receipt. */
interface ReceiptFile {
  readonly format: 'selfware-receipt-1';
  /** Hash of `receipt`; the event `kept` in the ledger names it. */
  readonly hash: string;
  /** The `Receipt` as canonical JSON. */
  readonly receipt: string;
  /** Texts by their hash: the edits, the tree before the change, and its uncommitted files. */
  readonly contents: Readonly<Record<string, string>>;
}

/** The content of a receipt whose texts all match their hashes. */
export interface ReadReceipt {
  readonly receipt: Receipt;
  readonly contents: ReadonlyMap<string, string>;
}

/**
 * Reads the receipt of a kept change, and its texts, from the store. `read`: null if the receipt is missing.
 * `problems`: sentences about missing or altered data.
 */
export async function loadReceipt(
  { ledger }: SessionContext,
  hash: string,
): Promise<{ readonly read: ReadReceipt | null; readonly problems: readonly string[] }> {
  const text = await ledger.text(hash);
  if (text === null) return { read: null, problems: ['The receipt is no longer kept, or was altered.'] };
  const contents = new Map<string, string>();
  const problems: string[] = [];
  const receipt = JSON.parse(text) as Receipt;
  const loadText = async (hash: string): Promise<string | null> => {
    const text = await ledger.text(hash);
    if (text === null)
      problems.push(`A text that the receipt names is no longer kept, or was altered (${hash.slice(0, 12)}).`);
    else contents.set(hash, text);
    return text;
  };
  for (const namedHash of listEditHashes(receipt)) await loadText(namedHash);
  const base = receipt.base === null ? null : await loadText(receipt.base);
  for (const namedHash of base?.match(/\b[0-9a-f]{64}\b/g) ?? []) await loadText(namedHash);
  return { read: { receipt, contents }, problems };
}

/**
 * Hash of the receipt of a change, by its proposal or checkpoint. Throws `notFound` if there is no such change, or if
 * it has no receipt.
 */
export async function findReceiptHash({ ledger }: SessionContext, id: string): Promise<string> {
  const proposal = (await ledger.proposals()).find((candidate) => candidate.id === id || candidate.checkpoint === id);
  if (!proposal)
    throw new SelfwareError('notFound', `There is no change ${id}.`, {
      action: 'Run `selfware proposals list --all`.',
    });
  if (!proposal.receipt)
    throw new SelfwareError(
      'notFound',
      `There is no receipt of ${proposal.title}: it is ${proposal.status}, and a change has one once it is kept.`,
    );
  return proposal.receipt;
}

/**
 * The receipt with its texts, as canonical JSON and a newline. Throws `damaged` if something is missing or was altered.
 */
export async function exportReceipt(context: SessionContext, hash: string): Promise<string> {
  const { read, problems } = await loadReceipt(context, hash);
  if (!read || problems.length > 0) throw new SelfwareError('damaged', problems.join(' '));
  const file: ReceiptFile = {
    format: 'selfware-receipt-1',
    hash,
    receipt: canonicalJson(read.receipt),
    contents: Object.fromEntries(read.contents),
  };
  return `${canonicalJson(file)}\n`;
}

/** The hash in an exported receipt; empty if the text is not a receipt. */
export function parseReceiptHash(text: string): string {
  const hash = parseReceipt(text)?.hash;
  return typeof hash === 'string' ? hash : '';
}

/**
 * Reads an exported receipt, and reports every alteration as a problem. `read`: null if the text is not the receipt
 * with this hash. `isVouched`: true if a ledger names the hash.
 */
export function readExportedReceipt(
  text: string,
  hash: string,
  isVouched = true,
): { readonly read: ReadReceipt | null; readonly problems: readonly string[] } {
  const file = parseReceipt(text);
  if (
    file?.format !== 'selfware-receipt-1' ||
    typeof file.receipt !== 'string' ||
    typeof file.contents !== 'object' ||
    file.contents === null
  )
    return { read: null, problems: ['The file is not a receipt, or was altered.'] };
  const problems: string[] = [];
  if (text !== `${canonicalJson(file)}\n`) problems.push('The file is not as it was written.');
  if (file.hash !== hash || sha256(file.receipt) !== hash)
    return {
      read: null,
      problems: [
        isVouched
          ? 'The receipt in the file is not the one that the ledger names: it was altered, or belongs to another change.'
          : 'The receipt in the file was altered: it does not have the hash that the file names.',
      ],
    };
  const receipt = JSON.parse(file.receipt) as Receipt;
  const contents = new Map(Object.entries(file.contents));
  for (const [name, content] of contents)
    if (typeof content !== 'string' || sha256(content) !== name)
      problems.push(`A text in the file was altered (${name.slice(0, 12)}).`);
  for (const namedHash of collectHashes(receipt, contents))
    if (!contents.has(namedHash)) problems.push(`A text is missing in the file (${namedHash.slice(0, 12)}).`);
  return { read: { receipt, contents }, problems };
}

/** The hashes of the texts of all edits, including those of companions. */
function listEditHashes({ edits, companions = [] }: Receipt): readonly string[] {
  return [...edits, ...companions.flatMap((companion) => companion.edits)]
    .flatMap(({ before, after }) => [before, after])
    .filter((hash) => hash !== null);
}

/** The hashes of all texts that the receipt names, directly or in the record of the tree. */
function collectHashes(receipt: Receipt, contents: ReadonlyMap<string, string>): readonly string[] {
  const { base } = receipt;
  const hashes = listEditHashes(receipt);
  return base === null ? hashes : [...hashes, base, ...(contents.get(base)?.match(/\b[0-9a-f]{64}\b/g) ?? [])];
}

function parseReceipt(text: string): Partial<ReceiptFile> | null {
  const value = parseJsonOrNull(text);
  return typeof value === 'object' ? value : null;
}
