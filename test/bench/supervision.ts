// Tests the supervisor in simulated days in which workers fail in many ways, and counts in how many of these
// simulations each mutant of the supervisor is found.

import { createSupervise, type Supervise } from '../../server/src/core/run/supervise.ts';
import type { Fact } from '../unit/run/supervision/facts.ts';
import { INVARIANTS, violated } from '../unit/run/supervision/invariants.ts';
import { MUTANTS } from '../unit/run/supervision/mutants.ts';
import { simulate } from '../unit/run/supervision/world.ts';
import type { Bench, Cell } from './support/bench.ts';

/** Number of simulations. */
const sizes = { tiny: 4, default: 200, large: 2_000 } as const;
/** Number of simulations for each mutant. */
const mutantSizes = { tiny: 2, default: 40, large: 200 } as const;
/** Simulated hours of each simulation. */
const HOURS = 72;
const COUNTED = ['started', 'hung', 'stuck', 'large', 'slept', 'told'] as const satisfies readonly Fact['is'][];

/** The bench: the violations of invariants, and the number of simulations that find each mutant. */
export const supervision: Bench = {
  name: 'supervision',
  describe: `Worlds of ${HOURS} simulated hours in which the workers of a supervisor crash, hang and grow, and the machine sleeps.`,
  async run(options, signal) {
    const seeds = sizes[options.size];
    const before = process.threadCpuUsage();
    const worlds = [...simulateWorlds(createSupervise(), options.seed, seeds, signal)];
    const { user, system } = process.threadCpuUsage(before);
    const mutantSeeds = mutantSizes[options.size];
    return [
      {
        title: 'Worlds',
        columns: [
          { name: 'worlds' },
          ...COUNTED.map((name) => ({ name })),
          { name: 'worlds with a violation' },
          { name: 'CPU', unit: 's', digits: 1 },
        ],
        rows: [
          [
            seeds,
            ...COUNTED.map((name) => worlds.flatMap(({ facts }) => facts.filter(({ is }) => is === name)).length),
            worlds.filter(({ violations }) => violations.size > 0).length,
            (user + system) / 1e6,
          ],
        ],
        notes: [
          `Invariants: ${INVARIANTS.map(({ name }) => name).join('; ')}.`,
          ...worlds.flatMap(({ seed, violations }) =>
            [...violations].map(([name, violation]) => `Seed ${seed} violates "${name}": ${violation}.`),
          ),
        ],
      },
      {
        title: 'Mutants of the supervisor',
        columns: [{ name: 'mutant' }, { name: 'invariant' }, { name: `found in worlds of ${mutantSeeds}` }],
        rows: MUTANTS.map(({ name, supervise, violates }): Cell[] => [
          name,
          violates,
          [...simulateWorlds(supervise, options.seed, mutantSeeds, signal)].filter(({ violations }) =>
            violations.has(violates),
          ).length,
        ]),
        notes: [],
      },
    ];
  },
};

/** Simulates `count` worlds with consecutive seeds, and yields the facts and the violated invariants of each. */
function* simulateWorlds(supervise: Supervise, firstSeed: number, count: number, signal: AbortSignal) {
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    signal.throwIfAborted();
    const facts = simulate(seed, HOURS, supervise);
    yield { seed, facts, violations: violated(facts) };
  }
}
