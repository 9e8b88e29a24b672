// Messages about rules for models and agents on which a person decides: the entries of the sidebar, and the decisions.

/** A file of rules in the repository on whose current text no person has decided. */
export interface RuleFileEntry {
  readonly path: string;
  /** The hash of the text. */
  readonly hash: string;
  /** Number of lines of the file. */
  readonly lines: number;
  /** True if a person has accepted another text of this file. */
  readonly changed: boolean;
}

/** A rule that an agent has written, and on which no person has decided. */
export interface RuleEntry {
  readonly id: string;
  /** The file of rules to which it belongs, such as CODE. */
  readonly file: string;
  readonly text: string;
  /** The events that show the need, one sentence each. */
  readonly evidence: readonly string[];
}

/** A file of rules. `folder`: URI of the workspace folder. */
export interface RuleFileRef {
  readonly folder: string;
  readonly path: string;
}

/** The text of a file of rules, with invisible characters escaped. */
export interface RuleFileText {
  readonly text: string;
  readonly hash: string;
  readonly state: 'off' | 'on' | 'changed' | 'tooLong';
}

/** The decision on the text of a file of rules that has this hash. */
export interface DecideRuleFileParams extends RuleFileRef {
  readonly hash: string;
  readonly verdict: 'accepted' | 'refused';
}

/** The decision on a rule that an agent has written. */
export interface DecideRuleParams {
  readonly rule: string;
  /** The text that the person was shown. */
  readonly text: string;
  readonly verdict: 'accepted' | 'refused';
}
