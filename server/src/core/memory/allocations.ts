// Defines how the context window is divided among the layers of memory, by kind of task.

import type { TaskType } from './contextPack.ts';

/** The layers of memory, and the reserve for the reply. */
export type MemoryLayer = 'working' | 'episodic' | 'semantic' | 'reserve';

/** Whole percent of the window. The reserve is room for the reply; every row sums to 100. */
export type Shares = Readonly<Record<MemoryLayer, number>>;

/** The shares of the layers, by kind of task. */
export const allocations: Readonly<Record<TaskType, Shares>> = {
  SelfImprovement: { working: 10, episodic: 10, semantic: 70, reserve: 10 },
  CodeAnalysis: { working: 15, episodic: 15, semantic: 60, reserve: 10 },
  Debugging: { working: 25, episodic: 35, semantic: 30, reserve: 10 },
  Conversation: { working: 30, episodic: 30, semantic: 30, reserve: 10 },
  CodeGeneration: { working: 20, episodic: 20, semantic: 50, reserve: 10 },
  Refactoring: { working: 15, episodic: 15, semantic: 60, reserve: 10 },
  Learning: { working: 20, episodic: 40, semantic: 30, reserve: 10 },
};

/** Tokens of each layer for a window of `budget` tokens; together they never exceed it. */
export function computeLayerBudgets(shares: Shares, budget: number): Record<MemoryLayer, number> {
  const windowTokens = Math.max(0, Math.floor(budget));
  const computeTokens = (layer: MemoryLayer) => Math.floor((windowTokens * shares[layer]) / 100);
  return {
    working: computeTokens('working'),
    episodic: computeTokens('episodic'),
    semantic: computeTokens('semantic'),
    reserve: computeTokens('reserve'),
  };
}
