// Types of a packed context: its content, and the part of the window that each layer of memory took.

/** Kinds of tasks; each has its own division of the window. */
export type TaskType =
  | 'SelfImprovement'
  | 'CodeAnalysis'
  | 'Debugging'
  | 'Conversation'
  | 'CodeGeneration'
  | 'Refactoring'
  | 'Learning';

/** A packed context; all costs are estimated tokens. */
export interface ContextPack {
  readonly tokens: number;
  readonly budgetTokens: number;
  /** Share of the window that is used, from 0 to 1. */
  readonly utilisation: number;
  readonly layers: Readonly<Record<'working' | 'episodic' | 'semantic' | 'reserve', LayerUse>>;
  /**
   * The shown parts of files. A path that ends with `/` represents the files below it, in a window too small to name
   * them.
   */
  readonly items: readonly {
    readonly path: string;
    readonly symbol: string | null;
    readonly resolution: 'body' | 'signature' | 'name';
    readonly tokens: number;
    readonly layer?: 'working';
    /** Ranges of the shown lines, from 1, both ends included; absent if `resolution` determines them. */
    readonly lines?: readonly (readonly [startLine: number, endLine: number])[];
    /** The line that is cut, and the number of its UTF-16 units that are shown. */
    readonly cut?: readonly [line: number, characters: number];
  }[];
  /** The conversation, the task, and recalled episodes. */
  readonly notes?: readonly {
    readonly layer: 'working' | 'episodic';
    readonly id: string | null;
    readonly label: string;
    readonly text: string;
    readonly tokens: number;
  }[];
  /** The worth of the shown units, and the upper bound for any choice. */
  readonly quality?: { readonly value: number; readonly bound: number };
}

/**
 * The use of a layer's share of the window. `tokens` is at most `budget` + `borrowed`. A layer lends only what it does
 * not need.
 */
export interface LayerUse {
  readonly tokens: number;
  /** The layer's guaranteed share of the window. */
  readonly budget: number;
  readonly lent?: number;
  readonly borrowed?: number;
  /** The layers that lent the borrowed tokens; absent if none did. */
  readonly borrowedFrom?: { readonly working: number; readonly episodic: number };
  /** Tokens that the layer would use without a limit. */
  readonly wanted?: number;
}
