// Selects the turns of a conversation with a model that the next question still contains.

import { cutToTokens } from '../../util/tokens.ts';
import { allocations, computeLayerBudgets } from './allocations.ts';
import { countNoteTokens } from './packLines.ts';
import { createWorkingMemory } from './working.ts';

/** A conversation about one task. `turns`: the result of each attempt, oldest first. */
export interface ConversationMemory {
  readonly system: string;
  readonly task: string;
  readonly turns: readonly string[];
}

/** The turns that are shown, oldest first. `forgotten`: the number of older ones that are not. */
export interface FittingTurns {
  readonly turns: readonly string[];
  readonly forgotten: number;
}

/** The role of a turn in working memory. */
const ROLE = 'attempt';
/** Importance of turns. The next question corrects the last turn, so earlier turns matter less. */
const IMPORTANCE = { last: 1, earlier: 0.5 };
/**
 * Assumed time between two turns. The real time is not used, so that equal conversations always keep the same turns.
 */
const TURN_MS = 60_000;
/** Minimum number of tokens for turns, even if the system message and the task fill the budget. */
const MIN_TURN_TOKENS = 250;
/** Ends a text that was cut. */
const CUT_NOTE = '\n(The rest is not shown.)';

/**
 * Selects the turns that fit into the share of a conversation in a window of `windowTokens`. The system message and the
 * task always stay. The turn with the least importance for its age is forgotten first. The last turn stays, cut if it
 * is too long.
 */
export function fitTurns({ system, task, turns }: ConversationMemory, windowTokens: number): FittingTurns {
  const lastTurn = turns.at(-1);
  if (lastTurn === undefined) return { turns, forgotten: 0 };
  const constantTokens = countNoteTokens('system', system) + countNoteTokens('task', task);
  const budget = computeLayerBudgets(allocations.Conversation, windowTokens).working;
  const memoryTokens = Math.max(budget, constantTokens + MIN_TURN_TOKENS);
  let now = 0;
  const working = createWorkingMemory({ now: () => now }, memoryTokens);
  working.setSystemMessage(system);
  for (const turn of turns.slice(0, -1)) {
    now += TURN_MS;
    working.say(ROLE, turn, IMPORTANCE.earlier);
  }
  now += TURN_MS;
  working.say(ROLE, cutTurn(lastTurn, memoryTokens - constantTokens), IMPORTANCE.last);
  working.begin(task);
  const keptMessages = working.items().flatMap(({ kind, text }) => (kind === 'message' ? [text] : []));
  return { turns: keptMessages, forgotten: turns.length - keptMessages.length };
}

/** The turn, or its beginning with a note if it has more than `tokens` tokens. */
function cutTurn(turn: string, tokens: number): string {
  if (countNoteTokens(ROLE, turn) <= tokens) return turn;
  const cut = cutToTokens(turn, tokens - countNoteTokens(ROLE, CUT_NOTE));
  const lineEnd = cut.lastIndexOf('\n');
  return `${lineEnd > cut.length / 2 ? cut.slice(0, lineEnd) : cut}${CUT_NOTE}`;
}
