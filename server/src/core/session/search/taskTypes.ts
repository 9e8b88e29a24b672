// Type of the façade's section `tasks`.

import type { ContextPack, TaskType } from '../../memory/contextPack.ts';

/** Section `tasks`: context for people or agents that work on a task, and notes that they leave. */
export interface Tasks {
  /**
   * Packs the context of a task. `budget`: tokens; if absent, the setting `memory.contextTokens`. `activeFiles`: files
   * that the person has open.
   */
  context(
    request: {
      readonly task: string;
      readonly taskType: TaskType;
      readonly budget?: number;
      readonly activeFiles?: readonly string[];
      /** True if the request leaves no record, because a coding agent makes it. */
      readonly unrecorded?: true;
      /** True if only indexed files are read, even if `activeFiles` names others. */
      readonly onlyIndexed?: true;
    },
    signal: AbortSignal,
  ): Promise<ContextPack>;
  /**
   * The text of a pack, as a model receives it. It never has more tokens than the pack states. `onlyIndexed`: true to
   * omit files that are no longer indexed.
   */
  render(pack: ContextPack, signal: AbortSignal, options?: { readonly onlyIndexed?: true }): Promise<string>;
  /** Call this when a person opens or saves a file, so that it counts as worked on. Unknown paths are ignored. */
  lookAt(path: string): void;
  /** Records a note in the ledger that is recalled for related tasks. Throws `usage` for an empty text. */
  remember(note: { readonly text: string; readonly tier: 'critical' | 'high' | 'normal' | 'low' }): Promise<void>;
}
