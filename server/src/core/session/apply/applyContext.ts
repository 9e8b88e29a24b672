// Creates the context of core/apply from the context of a session.

import type { ApplyContext } from '../../apply/context.ts';
import type { SessionContext } from '../context.ts';

/** Selects the ports and settings of the session that applying needs. */
export function createApplyContext({
  ports,
  charter,
  ledger,
}: Pick<SessionContext, 'ports' | 'charter' | 'ledger'>): ApplyContext {
  const { clock, ids, files, writer, journal, git, lock, documents, log } = ports;
  return {
    clock,
    ids,
    files,
    writer,
    journal,
    git,
    lock,
    documents,
    log,
    charter,
    /** The bytes of the text with this hash; null if the ledger no longer has it. */
    async postImage(hash) {
      const text = await ledger.text(hash);
      return text === null ? null : new TextEncoder().encode(text);
    },
  };
}
