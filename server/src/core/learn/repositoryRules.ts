// Recognises files of rules that a repository contains, such as AGENTS.md, and determines whether they apply. A person
// accepts the exact text of a file; if the text changes, the file is off again.

import { sha256 } from '../../util/hash.ts';
import type { RuleEvent } from '../model/feedback.ts';
import { isTestData } from '../paths/tests.ts';

/** Paths at which tools for agents look for rules in every repository. `isRuleFilePath` accepts further paths. */
export const RULE_FILES: readonly string[] = [
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  '.cursorrules',
  '.github/copilot-instructions.md',
  '.selfware/rules.md',
];
/** Matches files of rules in Cursor's folder of rules. */
const CURSOR_RULES_PATTERN = /^\.cursor\/rules\/[^/]+\.mdc?$/;

/** Matches files of rules in any folder except the root. They apply to the files below their folder. */
const NESTED_RULE_FILE_PATTERN = /^(.+)\/(?:AGENTS|CLAUDE|GEMINI)\.md$/;

/** True for a path at which tools for agents look for rules. Files in the data of tests do not count. */
export function isRuleFilePath(path: string): boolean {
  return (
    RULE_FILES.includes(path) ||
    CURSOR_RULES_PATTERN.test(path) ||
    (NESTED_RULE_FILE_PATTERN.test(path) && !isTestData(path))
  );
}

/**
 * The folder whose files a file of rules applies to; null for the whole repository. If the file is in a folder of
 * settings, such as `.claude`, this is the parent of that folder.
 */
export function findRuleFileFolder(path: string): string | null {
  const folders = NESTED_RULE_FILE_PATTERN.exec(path)?.[1]?.split('/') ?? [];
  const hiddenIndex = folders.findIndex((name) => name.startsWith('.'));
  return folders.slice(0, hiddenIndex < 0 ? folders.length : hiddenIndex).join('/') || null;
}

/**
 * Maximum number of characters of a text that can be accepted. A longer one would leave too little room for the task.
 */
export const MAX_RULE_FILE_CHARACTERS = 20_000;

/** The state of a file of rules. `changed`: another text of it was accepted. `tooLong`: it cannot be accepted. */
export type RepositoryRulesState = 'off' | 'on' | 'changed' | 'tooLong';

/** A file of rules with its text and state. */
export interface RepositoryRuleFile {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
  readonly state: RepositoryRulesState;
  /** True if a person can accept this text and has not decided on it yet. */
  readonly waits: boolean;
}

/** By path: the hash of the text that a person accepted last. Files that were switched off since are not included. */
export function collectAcceptedHashes(events: readonly RuleEvent[]): ReadonlyMap<string, string> {
  const acceptedHashes = new Map<string, string>();
  for (const event of events)
    if (event.type === 'broughtRules') {
      if (event.data.hash === null) acceptedHashes.delete(event.data.path);
      else acceptedHashes.set(event.data.path, event.data.hash);
    }
  return acceptedHashes;
}

/** The hash of the text that a person keeps off, by path. Files without such a decision are not included. */
export function collectRefusedHashes(events: readonly RuleEvent[]): ReadonlyMap<string, string> {
  const refusedHashes = new Map<string, string>();
  for (const event of events)
    if (event.type === 'broughtRules') {
      if (event.data.refused === undefined) refusedHashes.delete(event.data.path);
      else refusedHashes.set(event.data.path, event.data.refused);
    }
  return refusedHashes;
}

/** A file with its state. `acceptedHashes` and `refusedHashes`: hashes by path. */
export function parseRepositoryRules(
  path: string,
  text: string,
  acceptedHashes: ReadonlyMap<string, string>,
  refusedHashes: ReadonlyMap<string, string> = new Map(),
): RepositoryRuleFile {
  const hash = sha256(text);
  const acceptedHash = acceptedHashes.get(path);
  const state = acceptedHash === hash ? 'on' : acceptedHash !== undefined ? 'changed' : 'off';
  if (text.length > MAX_RULE_FILE_CHARACTERS) return { path, text, hash, state: 'tooLong', waits: false };
  return { path, text, hash, state, waits: state !== 'on' && refusedHashes.get(path) !== hash };
}
