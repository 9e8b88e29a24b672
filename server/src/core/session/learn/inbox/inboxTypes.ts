// The section `inbox` of the façade, as its callers see it.

import type { DecidedItem } from '../../../learn/inbox/decisions.ts';
import type { InboxCommand, InboxItem } from '../../../model/inbox.ts';
import type { RuleFile } from '../../../model/feedback.ts';
import type { Operation } from '../../../operation.ts';

export interface InboxList {
  /** Items that wait for a person. */
  readonly open: readonly InboxItem[];
  /** Decided items, oldest decision first. */
  readonly decided: readonly DecidedItem[];
}

/** A proposal of an agent. */
export type NewInboxItem = {
  readonly name: string;
  readonly description: string;
  readonly events: readonly number[];
} & (
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'tool'; readonly wish: string }
  | { readonly kind: 'skill'; readonly file: RuleFile; readonly text: string }
);

/** A decision of a person. */
export interface InboxDecision {
  /** The id or the name of the item. */
  readonly item: string;
  readonly verdict: 'applied' | 'rejected';
  /** The reason for a rejection; otherwise null. */
  readonly reason: string | null;
  /** The lines that the person has seen (`describeItem`). If the item has changed since, nothing is decided. */
  readonly shown?: readonly string[];
  /** Allows a command whose effects are unknown. */
  readonly mayWrite?: boolean;
}

/** A decision that was carried out. */
export interface DecisionResult extends DecidedItem {
  /** The parts that were not undone when an item was withdrawn, as a sentence. */
  readonly note?: string;
}

/** The result of running an applied command. */
export interface CommandRun {
  readonly command: string;
  /** Null if the command was killed. */
  readonly exitCode: number | null;
  /**
   * The reason why the command was stopped or could not start, as the end of a sentence; null if it ended on its own.
   */
  readonly ended: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Section `inbox`: tools, commands and skills that are proposed to a person. */
export interface Inbox {
  /** Throws `damaged`, with the place and the line, if one of the files cannot be used. */
  list(): Promise<InboxList>;
  /** The commands that agents may run. */
  commands(): Promise<readonly InboxCommand[]>;
  /**
   * Files a proposal of an agent. Throws `usage` for a refused command, an unsuitable text and events that do not
   * exist, `conflict` if it was proposed before, `forbidden` within an hour of the last one, and `locked`.
   */
  propose(item: NewInboxItem, signal: AbortSignal): Promise<InboxItem>;
  /**
   * Applies or rejects an item; rejecting an applied one undoes it. Call this for a person only. Throws `notFound`,
   * `usage`, `conflict` if it was decided before, `stale` if the item has changed since it was shown, and `locked` if
   * another process decides.
   */
  decide(decision: InboxDecision, signal: AbortSignal): Promise<DecisionResult>;
  /**
   * Runs an applied command in a sandbox, given its name or id. What it writes is discarded. Throws `notFound`,
   * `untrusted`, and `forbidden` on a machine without isolation.
   */
  run(command: string, operation: Operation): Promise<CommandRun>;
}
