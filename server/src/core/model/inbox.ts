// Proposals of tools, commands, skills and preferences as plain data. A person decides about each, once.

import type { RuleFile } from './feedback.ts';

/**
 * The kinds of proposals. `command`: a command line that agents may run in the sandbox once it is applied. `skill`:
 * instructions for people and agents who work on the repository. `tool`: a tool that is missing; applying it adds it to
 * the queue of wishes. `preference`: which of two proposers is asked first for a rule; agents cannot propose it.
 */
export const INBOX_KINDS = ['tool', 'command', 'skill', 'preference'] as const;
/** The name of a kind of proposal. */
export type InboxKind = (typeof INBOX_KINDS)[number];
/** The kinds that an agent can propose. */
export const AGENT_KINDS = ['tool', 'command', 'skill'] as const satisfies readonly InboxKind[];

/**
 * The possible effects of a command line. `none`: all its programs only read. `unknown`: it may write, which a sandbox
 * discards. A line that destroys something or reaches outside of the repository is refused, so it has no effects here.
 */
export type CommandEffects = 'none' | 'unknown';

/** The fields that all kinds share. */
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

/** A missing tool. */
export interface InboxTool extends InboxItemBase {
  readonly kind: 'tool';
  /** A description of the tool's purpose. */
  readonly wish: string;
}

/** A command line for agents. */
export interface InboxCommand extends InboxItemBase {
  readonly kind: 'command';
  readonly command: string;
  readonly effects: CommandEffects;
}

/** Instructions, which become a rule if they are applied. */
export interface InboxSkill extends InboxItemBase {
  readonly kind: 'skill';
  readonly file: RuleFile;
  /** The text of the rule that applying it adds. If it is empty, applying it only replaces rules. */
  readonly text: string;
  /** Ids of rules that are switched off when it is applied. */
  readonly replaces: readonly string[];
}

/** The order of two proposers. */
export interface InboxPreference extends InboxItemBase {
  readonly kind: 'preference';
  /** The rule of the analysis, or the kind of the task. */
  readonly rule: string;
  /** The proposer that is asked before `second`. */
  readonly first: string;
  readonly second: string;
}

/** A proposal of any kind. */
export type InboxItem = InboxTool | InboxCommand | InboxSkill | InboxPreference;

/** The decision of a person. `withdrawn`: a person has undone the application of the proposal. */
export type InboxVerdict = 'applied' | 'rejected' | 'withdrawn';

/** Ids of the rules that applying a skill has switched on or written, and of the rules that it has switched off. */
export interface ChangedRules {
  readonly on: readonly string[];
  readonly off: readonly string[];
}

/** An event of the inbox in the ledger. */
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
