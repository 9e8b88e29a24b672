// Lets a person pause, resume and cancel the indexing of a folder. What was indexed is kept, and the next pass
// continues from there.

/** The switch for the indexing of one folder. Code that starts a pass takes its signal from here. */
export interface IndexSwitch {
  readonly paused: boolean;
  /** The signal of the current pass, or of the next one. */
  readonly signal: AbortSignal;
  /** Ends the current pass. No pass starts before `resume`. */
  pause(): void;
  /** Ends the pause. Returns true if there was one. */
  resume(): boolean;
  /** Ends the current pass. The next change of a file starts another pass. */
  cancel(): void;
}

/** Creates the switch, not paused. */
export function createIndexSwitch(): IndexSwitch {
  let controller = new AbortController();
  let isPaused = false;
  const cancel = (): void => {
    controller.abort();
    controller = new AbortController();
  };
  return {
    get paused() {
      return isPaused;
    },
    get signal() {
      return controller.signal;
    },
    pause() {
      isPaused = true;
      cancel();
    },
    resume() {
      const wasPaused = isPaused;
      isPaused = false;
      return wasPaused;
    },
    cancel,
  };
}
