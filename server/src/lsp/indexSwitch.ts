// Pauses, resumes and cancels indexing at a person's request. What was indexed stays, and the next pass continues from
// there.

export interface IndexSwitch {
  readonly paused: boolean;
  /** Of the pass that runs now, or of the next one. */
  readonly signal: AbortSignal;
  /** Ends the pass; none is started before `resume`. */
  pause(): void;
  /** Whether it was paused. */
  resume(): boolean;
  /** Ends the pass; the next reason to index starts another. */
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
