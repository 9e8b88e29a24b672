// Of requests that overlap, the answer of an older one does not replace that of a newer one.

/** Numbers requests. `begin()` is called when a request is sent; the returned function when its answer arrives. */
export interface NewestAnswer {
  /** The returned function says whether the answer counts: false if a request that began later has its answer. */
  begin(): () => boolean;
}

/** Creates the numbering of one kind of request. */
export function newestAnswer(): NewestAnswer {
  let begun = 0;
  let answeredTurn = 0;
  return {
    begin() {
      begun += 1;
      const number = begun;
      return () => {
        if (number < answeredTurn) return false;
        answeredTurn = number;
        return true;
      };
    },
  };
}
