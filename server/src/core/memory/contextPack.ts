// A packed context: what is in it, and what each layer of memory took of the window.

/** The kinds of task that divide the window differently. */
export type TaskType =
  | 'SelfImprovement'
  | 'CodeAnalysis'
  | 'Debugging'
  | 'Conversation'
  | 'CodeGeneration'
  | 'Refactoring'
  | 'Learning';

export interface ContextPack {
  readonly tokens: number;
  readonly budgetTokens: number;
  /** tokens ÷ budgetTokens, 0–1. */
  readonly utilisation: number;
  readonly layers: Readonly<Record<'working' | 'episodic' | 'semantic' | 'reserve', LayerUse>>;
  /** A path that ends with `/` stands for the files below it, in a window too small to name them. */
  readonly items: readonly {
    readonly path: string;
    readonly symbol: string | null;
    readonly resolution: 'body' | 'signature' | 'name';
    readonly tokens: number;
    readonly layer?: 'working';
  }[];
  /** What was said, the task, and what came back to mind. */
  readonly notes?: readonly {
    readonly layer: 'working' | 'episodic';
    readonly id: string | null;
    readonly label: string;
    readonly text: string;
    readonly tokens: number;
  }[];
  /** How well the room was used: worth of what is shown, and the most that any choice could reach. */
  readonly quality?: { readonly value: number; readonly bound: number };
}

/** Tokens are at most `budget` + `borrowed`; a layer lends only what it does not need. */
export interface LayerUse {
  readonly tokens: number;
  /** Share of the window that the layer is guaranteed. */
  readonly budget: number;
  readonly lent?: number;
  readonly borrowed?: number;
  /** Who lent what it borrowed; absent where nothing was. */
  readonly borrowedFrom?: { readonly working: number; readonly episodic: number };
  /** Tokens that the layer would hold with room for everything. */
  readonly wanted?: number;
}
