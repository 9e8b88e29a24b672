// Runs pieces of work one after the other.

/** Returns a function that runs its work once all earlier work has ended, and resolves or rejects as that work does. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let queue: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = queue.then(work);
    queue = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  };
}
