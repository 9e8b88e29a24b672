// Adds up the cost of the steps of a pipeline.

/** The costs of steps so far. */
export interface Tally {
  /**
   * Does the work and adds its time to the step. Steps must not overlap, because processor time is measured for the
   * whole process.
   */
  add<T>(step: string, work: () => T): T;
  /** Like `add`, for asynchronous work. */
  addAsync<T>(step: string, work: () => Promise<T>): Promise<T>;
  /** The cost of each step: first the steps in `order`, then the others in the order of their first use. */
  readonly steps: ReadonlyMap<string, { readonly cpuMs: number; readonly wallMs: number }>;
}

/** Creates a tally without costs. `order`: steps that come first. */
export function createTally(order: readonly string[] = []): Tally {
  const steps = new Map<string, { cpuMs: number; wallMs: number }>(
    order.map((step) => [step, { cpuMs: 0, wallMs: 0 }]),
  );
  const recordStep = (step: string, cpu: NodeJS.CpuUsage, startedAt: number): void => {
    const { user, system } = process.cpuUsage(cpu);
    const entry = steps.get(step) ?? { cpuMs: 0, wallMs: 0 };
    entry.cpuMs += (user + system) / 1000;
    entry.wallMs += performance.now() - startedAt;
    steps.set(step, entry);
  };
  return {
    steps,
    add(step, work) {
      const [cpu, startedAt] = [process.cpuUsage(), performance.now()];
      const value = work();
      recordStep(step, cpu, startedAt);
      return value;
    },
    async addAsync(step, work) {
      const [cpu, startedAt] = [process.cpuUsage(), performance.now()];
      const value = await work();
      recordStep(step, cpu, startedAt);
      return value;
    },
  };
}
