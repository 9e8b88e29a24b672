// Types of the façade's section `inbox`, as its callers see it.

import type { DecidedItem } from '../../../learn/inbox/decisions.ts';
import type { InboxCommand, InboxItem } from '../../../model/inbox.ts';
import type { RuleFile } from '../../../model/feedback.ts';
import type { Operation } from '../../../operation.ts';

/** The items of the inbox. */
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
  /** Sequences of events in the ledger that show the need. */
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
  /** The command line. */
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

/** Section `inbox`: commands, skills, preferences and tools that are proposed to a person. */
export interface Inbox {
  /** All items. Throws `damaged`, with the path and the line, if one of the files cannot be used. */
  list(): Promise<InboxList>;
  /** The commands that a person has applied, which agents may run. */
  commands(): Promise<readonly InboxCommand[]>;
  /**
   * Files a proposal of an agent. Throws `usage` for a refused command, an unsuitable text and events that do not
   * exist, `conflict` if it was proposed before, `forbidden` within an hour of the last item of an agent, and `locked`
   * while another process changes the inbox.
   */
  propose(item: NewInboxItem, signal: AbortSignal): Promise<InboxItem>;
  /**
   * Applies or rejects an item; rejecting an applied one undoes it. Call this for a person only. Throws `notFound`,
   * `usage` for a missing reason, an ambiguous name and a refused command, `conflict` if it was decided before, `stale`
   * if the item has changed since it was shown, and `locked` if another process decides.
   */
  decide(decision: InboxDecision, signal: AbortSignal): Promise<DecisionResult>;
  /**
   * Runs an applied command in a sandbox, given its name or id. What it writes is discarded. Throws `notFound`,
   * `untrusted`, `usage` if this version refuses the command, and `forbidden` if the machine cannot isolate it, if
   * Selfware is stopped, or if the command may write and that was not allowed.
   */
  run(command: string, operation: Operation): Promise<CommandRun>;
}
