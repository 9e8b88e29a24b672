// Lists the rules, tools, commands, skills and orders of proposers that wait for a person's decision, with their
// evidence, for the sidebar.

import type { RuleFileEntry, RuleEntry } from '#protocol/rules';
import type { InboxEntry } from '#protocol/state';
import { waitsForPerson } from '../../core/learn/ruleBook.ts';
import type { Session } from '../../core/session.ts';
import { describeItem } from '../../core/session/learn/inbox/describe.ts';
import { ledgerLine } from '../../core/session/ledger/ledgerLines.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { StoredEvent } from '../../core/ports/ledger.ts';

/** Maximum number of entries of each kind. The command line lists all. */
const MAX_ENTRIES = 20;
/** Maximum number of events that an entry shows as its evidence. */
const MAX_EVIDENCE = 3;

/** Files of repository rules on which no person has decided; none if they cannot be read, which a notice reports. */
export async function findUndecidedRuleFiles(session: Session): Promise<readonly RuleFileEntry[]> {
  try {
    return (await session.learned.repositoryRules(true))
      .filter(({ waits }) => waits)
      .slice(0, MAX_ENTRIES)
      .map(({ path, hash, text, state }) => ({
        path,
        hash,
        lines: text.split('\n').filter((line) => line.trim() !== '').length,
        changed: state === 'changed',
      }));
  } catch (error) {
    return emptyIfReported(error);
  }
}

/** Rules that agents have written and on which no person has decided. */
export async function listUndecidedRules(session: Session): Promise<readonly RuleEntry[]> {
  const undecidedRules = (await session.learned.rules()).filter(waitsForPerson).slice(0, MAX_ENTRIES);
  return Promise.all(
    undecidedRules.map(async ({ id, file, text, events }) => ({
      id,
      file,
      text,
      evidence: await loadEvidence(session, events),
    })),
  );
}

/**
 * Proposed tools, commands, skills and orders of proposers; none if a file of the inbox is invalid, which a notice
 * reports.
 */
export async function listInbox(session: Session): Promise<readonly InboxEntry[]> {
  try {
    const { open } = await session.inbox.list();
    return await Promise.all(
      open.slice(0, MAX_ENTRIES).map(async (item) => ({
        id: item.id,
        kind: item.kind,
        name: item.name,
        description: item.description,
        details: describeItem(item),
        evidence: await loadEvidence(session, item.events),
        mayWrite: item.kind === 'command' && item.effects === 'unknown',
      })),
    );
  } catch (error) {
    return emptyIfReported(error);
  }
}

/**
 * The sentences about the first `MAX_EVIDENCE` of the events, without duplicates. `sequences`: the sequence numbers of
 * the events in the ledger.
 */
async function loadEvidence(session: Session, sequences: readonly number[]): Promise<readonly string[]> {
  const evidenceEvents = await Promise.all(
    sequences.slice(0, MAX_EVIDENCE).map((sequence) => session.ledger.query({ after: sequence - 1, limit: 1 })),
  );
  return [...new Set(evidenceEvents.flat().map(formatEvent))];
}

function formatEvent(event: StoredEvent): string {
  return ledgerLine(event, new Map()).text;
}

/** An empty list for a SelfwareError, which a notice has reported. Throws any other error. */
function emptyIfReported(error: unknown): readonly [] {
  if (error instanceof SelfwareError) return [];
  throw error;
}
