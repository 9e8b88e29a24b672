// Proposals of tools, commands, skills and preferences as plain data. A person decides about each, once.

import type { RuleFile } from './feedback.ts';

/**
 * `command`: a command line that agents may then run in the sandbox. `skill`: instructions for people and agents who
 * work on the repository. `tool`: something that is missing; applying it puts it into the queue of wishes.
 * `preference`: of two proposers of a role, the one that is asked first for a rule; agents cannot propose it.
 */
export const INBOX_KINDS = ['tool', 'command', 'skill', 'preference'] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];
/** The kinds that an agent can propose. */
export const AGENT_KINDS = ['tool', 'command', 'skill'] as const satisfies readonly InboxKind[];

/**
 * The possible effects of a command line. `none`: all its programs only read. `unknown`: it may write, which a sandbox
 * discards. A line that destroys something or reaches outside is refused.
 */
export type CommandEffects = 'none' | 'unknown';

interface InboxItemBase {
  /** Derived from the subject, so that the same proposal is not filed twice. */
  readonly id: string;
  readonly name: string;
  /** The reason why it was proposed, as sentences. */
  readonly description: string;
  readonly by: 'selfware' | 'agent';
  /** Sequences of the events in the ledger that show the need. */
  readonly events: readonly number[];
}

export interface InboxTool extends InboxItemBase {
  readonly kind: 'tool';
  /** A description of the tool's purpose. */
  readonly wish: string;
}

export interface InboxCommand extends InboxItemBase {
  readonly kind: 'command';
  readonly command: string;
  readonly effects: CommandEffects;
}

export interface InboxSkill extends InboxItemBase {
  readonly kind: 'skill';
  readonly file: RuleFile;
  /** The text of the rule that applying it adds. If it is empty, applying it only replaces rules. */
  readonly text: string;
  /** Ids of rules that are switched off when it is applied. */
  readonly replaces: readonly string[];
}

export interface InboxPreference extends InboxItemBase {
  readonly kind: 'preference';
  /** The rule of the analysis, or the kind of the task. */
  readonly rule: string;
  /** The proposer that is asked before `second`. */
  readonly first: string;
  readonly second: string;
}

export type InboxItem = InboxTool | InboxCommand | InboxSkill | InboxPreference;

/** `withdrawn`: it was applied, and a person has undone that. */
export type InboxVerdict = 'applied' | 'rejected' | 'withdrawn';

/** Ids of the rules that applying a skill has switched on or written, and of the rules that it has switched off. */
export interface ChangedRules {
  readonly on: readonly string[];
  readonly off: readonly string[];
}

export type InboxEvent =
  | { readonly type: 'inboxFiled'; readonly data: { readonly item: InboxItem } }
  | {
      readonly type: 'inboxDecided';
      readonly data: {
        readonly item: InboxItem;
        readonly verdict: InboxVerdict;
        readonly reason: string | null;
        /** Set for a skill that was applied. */
        readonly rules?: ChangedRules;
      };
    };
