// Prevents the answer to an older request from replacing the answer to a newer one when requests overlap.

/** The order of overlapping requests of one kind. */
export interface NewestAnswer {
  /**
   * To be called when a request is sent. The returned function is to be called when its answer arrives; it returns
   * false if a later request has already been answered.
   */
  begin(): () => boolean;
}

/** Begins to number the requests of one kind. */
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
