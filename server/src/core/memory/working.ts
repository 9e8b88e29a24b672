// Keeps the working memory of a session: the conversation, the task, and the files being worked on. It is small, and
// drops the entries first that are the least important for their age.

import { estimateTokens } from '../../util/tokens.ts';
import type { Millis } from '../model.ts';
import { countNoteTokens, countReferenceTokens } from './packLines.ts';
import type { Clock } from '../ports/system.ts';

/** An entry of working memory. */
export interface WorkingItem {
  readonly kind: 'system' | 'task' | 'message' | 'file';
  /** The speaker of a message; empty for other kinds. */
  readonly role: string;
  /** The message, or the path of a file. */
  readonly text: string;
  /**
   * Tokens in a pack. For a file: the tokens of its path and its text or, if the text is too long, of a reference to
   * it.
   */
  readonly tokens: number;
  /** True for a file that is too long to show, so that only its path is shown. */
  readonly reference: boolean;
  /** Importance from 0 to 1. */
  readonly importance: number;
  /** Time of the last use. */
  readonly usedAt: Millis;
}

/** Maximum number of files in working memory. */
export const MAX_ACTIVE_FILES = 10;
/** Maximum number of tokens of a file that is shown. A longer one is only named. */
export const MAX_ACTIVE_TOKENS = 10_000;
/** Minimum age that is assumed for an entry, so that an entry that was just used can be dropped at all. */
const YOUNGEST_MS = 1000;

/** The working memory of one session. */
export interface WorkingMemory {
  /** Replaces the system message, which is never dropped. */
  setSystemMessage(text: string): void;
  /** Replaces the task. */
  begin(task: string, importance?: number): void;
  /** Adds a message to the conversation. */
  say(role: string, text: string, importance: number): void;
  /** Records that a file is being worked on; the higher importance is kept. */
  access(path: string, fileTokens: number, importance: number): void;
  /** Drops a file. Does nothing if it is not in working memory. */
  forget(path: string): void;
  /** The entries in the order of their last use, the newest last. */
  items(): readonly WorkingItem[];
  /** Number of tokens of all entries. */
  tokens(): number;
}

/** Keeps at most `budget` tokens, unless the system message itself is longer. */
export function createWorkingMemory(clock: Clock, budget: number): WorkingMemory {
  let items: WorkingItem[] = [];
  const countTokens = () => items.reduce((sum, item) => sum + item.tokens, 0);

  function putItem(item: Omit<WorkingItem, 'usedAt'>, replaces: (existingItem: WorkingItem) => boolean): void {
    items = [...items.filter((existingItem) => !replaces(existingItem)), { ...item, usedAt: clock.now() }];
    const now = clock.now();
    while (items.filter(({ kind }) => kind === 'file').length > MAX_ACTIVE_FILES)
      evict(({ kind }) => kind === 'file', now);
    while (countTokens() > budget && evict(({ kind }) => kind !== 'system', now));
  }

  /** Drops the entry with the lowest importance ÷ age; of equal ones, the oldest. Returns false if there is none. */
  function evict(isCandidate: (item: WorkingItem) => boolean, now: Millis): boolean {
    let worst: WorkingItem | null = null;
    for (const item of items)
      if (isCandidate(item) && (!worst || computeRetentionValue(item, now) < computeRetentionValue(worst, now)))
        worst = item;
    items = items.filter((item) => item !== worst);
    return worst !== null;
  }

  return {
    setSystemMessage: (text) => putItem(createItem('system', '', text, 1), ({ kind }) => kind === 'system'),
    begin: (task, importance = 1) => putItem(createItem('task', '', task, importance), ({ kind }) => kind === 'task'),
    say: (role, text, importance) => putItem(createItem('message', role, text, importance), () => false),
    access(path, fileTokens, importance) {
      const existingItem = items.find(({ kind, text }) => kind === 'file' && text === path);
      const isReferenceOnly = fileTokens > MAX_ACTIVE_TOKENS;
      const shownTokens = isReferenceOnly ? countReferenceTokens(path, fileTokens) : fileTokens + estimateTokens(path);
      putItem(
        {
          kind: 'file',
          role: '',
          text: path,
          tokens: shownTokens,
          reference: isReferenceOnly,
          importance: Math.max(importance, existingItem?.importance ?? 0),
        },
        (item) => item === existingItem,
      );
    },
    forget: (path) => {
      items = items.filter(({ kind, text }) => kind !== 'file' || text !== path);
    },
    items: () => items,
    tokens: countTokens,
  };
}

function createItem(
  kind: WorkingItem['kind'],
  role: string,
  text: string,
  importance: number,
): Omit<WorkingItem, 'usedAt'> {
  return { kind, role, text, tokens: countNoteTokens(role || kind, text), reference: false, importance };
}

/** The value of keeping an entry: its importance divided by its age. */
function computeRetentionValue({ importance, usedAt }: WorkingItem, now: Millis): number {
  return importance / Math.max(YOUNGEST_MS, now - usedAt);
}
