// Keeps the answer of an older request from replacing the answer of a newer one, if they overlap.

/** Numbers requests. `begin()` is called when a request is sent; the returned function when its answer arrives. */
export interface NewestAnswer {
  /** Begins a request. The returned function returns false if a request that began later already has its answer. */
  begin(): () => boolean;
}

/** Creates the numbering of one kind of request. */
export function newestAnswer(): NewestAnswer {
  let startedCalls = 0;
  let answeredTurn = 0;
  return {
    begin() {
      startedCalls += 1;
      const number = startedCalls;
      return () => {
        if (number < answeredTurn) return false;
        answeredTurn = number;
        return true;
      };
    },
  };
}
