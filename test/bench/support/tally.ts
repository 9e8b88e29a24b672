// Adds up the cost of the steps of a pipeline.

export interface Tally {
  /** Runs the work and books its time under the name. One at a time: the processor's clock cannot tell two apart. */
  add<T>(step: string, work: () => T): T;
  addAsync<T>(step: string, work: () => Promise<T>): Promise<T>;
  /** Those named at the start in that order, then the others as they came. */
  readonly steps: ReadonlyMap<string, { readonly cpuMs: number; readonly wallMs: number }>;
}

export function createTally(order: readonly string[] = []): Tally {
  const steps = new Map<string, { cpuMs: number; wallMs: number }>(
    order.map((step) => [step, { cpuMs: 0, wallMs: 0 }]),
  );
  const book = (step: string, cpu: NodeJS.CpuUsage, startedAt: number): void => {
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
      book(step, cpu, startedAt);
      return value;
    },
    async addAsync(step, work) {
      const [cpu, startedAt] = [process.cpuUsage(), performance.now()];
      const value = await work();
      book(step, cpu, startedAt);
      return value;
    },
  };
}
