// Pauses, resumes and cancels indexing at a person's request. Indexed files stay, and the next pass continues from
// there.

export interface IndexSwitch {
  readonly paused: boolean;
  /** For the current pass, or the next one. */
  readonly signal: AbortSignal;
  /** Ends the pass; none is started before `resume`. */
  pause(): void;
  /** Returns whether it was paused. */
  resume(): boolean;
  /** Ends the pass; the next change starts another. */
  cancel(): void;
}

export function createIndexSwitch(): IndexSwitch {
  let controller = new AbortController();
  let paused = false;
  const cancel = (): void => {
    controller.abort();
    controller = new AbortController();
  };
  return {
    get paused() {
      return paused;
    },
    get signal() {
      return controller.signal;
    },
    pause() {
      paused = true;
      cancel();
    },
    resume() {
      const was = paused;
      paused = false;
      return was;
    },
    cancel,
  };
}
