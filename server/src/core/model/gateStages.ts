// The stages of a verification, and the gates of each stage.

import { GATE_ORDER, STAGE_BY_GATE, type GateName } from './gates.ts';

/**
 * The part of a verification to which a gate belongs. `text`: it reads and parses files, and runs no command. `checks`:
 * the type checker and the linter of the repository. `tests`: its tests. `timing`: it measures time. `claim`: it shows
 * what the change claims to improve. `behaviour` and `mutants`: it can prove that behaviour is kept.
 */
export type GateStage = 'text' | 'checks' | 'tests' | 'timing' | 'claim' | 'behaviour' | 'mutants';

const stageByGate: Readonly<Record<GateName, GateStage>> = STAGE_BY_GATE;

/** The gates of these stages, in the order in which they run. */
export function gatesOfStages(...wantedStages: readonly GateStage[]): readonly GateName[] {
  return GATE_ORDER.filter((gate) => wantedStages.includes(stageByGate[gate]));
}

/** Gates that run no command of the repository. */
export const TEXT_GATES: ReadonlySet<string> = new Set(gatesOfStages('text'));

/**
 * Gates that run commands. They take long, and their answers depend only on the tree, the tools and the settings, so an
 * interrupted verification reuses them.
 */
export const COMMAND_GATES: ReadonlySet<string> = new Set(GATE_ORDER.filter((gate) => stageByGate[gate] !== 'text'));

/** The gates that run the repository's own checks. The tests come last. */
export const REPOSITORY_CHECKS: ReadonlySet<string> = new Set(gatesOfStages('checks', 'tests'));

/** The gates that can prove that a change of code keeps its behaviour. */
export const PROOF_GATES: ReadonlySet<string> = new Set(gatesOfStages('behaviour', 'mutants'));
