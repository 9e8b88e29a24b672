// Creates the façade's `ledger` section: the recorded events, and receipts.

import type { LedgerSection } from '../../session.ts';
import type { SessionContext } from '../context.ts';
import { exportReceipt, findReceiptHash } from './receiptFile.ts';

/** Creates the section of one session. */
export function createLedgerSection(context: SessionContext): LedgerSection {
  return {
    query: (query) => context.ledger.query(query),
    verify: () => context.ledger.verify(),
    receipt: async (id) => exportReceipt(context, await findReceiptHash(context, id)),
  };
}
