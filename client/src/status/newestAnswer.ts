// Prevents the answer to an older request from replacing the answer to a newer one when requests overlap.

/** The order of overlapping requests of one kind. */
export interface RequestOrder {
  /**
   * To be called when a request is sent. The returned function is to be called when its answer arrives; it returns
   * false if a later request has already been answered.
   */
  begin(): () => boolean;
}

/** Begins to number the requests of one kind. */
export function createRequestOrder(): RequestOrder {
  let startedCount = 0;
  let answeredNumber = 0;
  return {
    begin() {
      startedCount += 1;
      const number = startedCount;
      return () => {
        if (number < answeredNumber) return false;
        answeredNumber = number;
        return true;
      };
    },
  };
}
