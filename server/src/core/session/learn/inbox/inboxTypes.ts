// The section `inbox` of the façade, as its callers see it.

import type { DecidedItem } from '../../../learn/inbox/decided.ts';
import type { InboxCommand, InboxItem } from '../../../model/inbox.ts';
import type { RuleFile } from '../../../model/feedback.ts';
import type { Operation } from '../../../operation.ts';

export interface InboxList {
  /** Waiting for a person. */
  readonly open: readonly InboxItem[];
  /** Decided about; oldest first. */
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

export interface InboxDecision {
  /** The id of the item; for a command that was applied, its name does as well. */
  readonly item: string;
  readonly verdict: 'applied' | 'rejected';
  /** Why it is rejected. */
  readonly reason: string | null;
  /** What the person was shown (`describeItem`); if the item differs from it meanwhile, nothing is decided. */
  readonly shown?: readonly string[];
  /** Allows a command whose effects are unknown. */
  readonly mayWrite?: boolean;
}

export interface CommandRun {
  readonly command: string;
  /** Null if the command was killed. */
  readonly exitCode: number | null;
  /** Why the command did not end by itself, as the end of a sentence; null if it did. */
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
   * Files a proposal of an agent, at most one an hour. Throws `usage` for a refused command, a text that says nothing
   * and events that do not exist; `conflict` if it was proposed before.
   */
  propose(item: NewInboxItem, signal: AbortSignal): Promise<InboxItem>;
  /**
   * Applies or rejects an item; rejecting one that was applied takes it back. Call this for a person only. Throws
   * `notFound`, `usage`, `stale` if it is not what was shown, and `locked` if another process decides.
   */
  decide(decision: InboxDecision, signal: AbortSignal): Promise<DecidedItem>;
  /**
   * Runs an applied command in a sandbox, from the name or the id. What it writes is discarded. Throws `notFound`,
   * `untrusted`, and `forbidden` on a machine without isolation.
   */
  run(command: string, operation: Operation): Promise<CommandRun>;
}
