// What people read where programs say an id: the checks of a change, and what a change may do to behaviour. Ids stay in
// JSON.

export interface CheckWords {
  /** As a heading has it. */
  readonly label: string;
  /** One sentence on what the check shows when it passes. */
  readonly meaning: string;
}

/** By the id of the gate. */
export const checkWords: Readonly<Record<string, CheckWords>> = {
  applies: { label: 'Fits the files', meaning: 'The edits fit the files as they are now.' },
  syntax: { label: 'Still parses', meaning: 'Every edited file parses as it did before.' },
  charter: {
    label: 'Allowed here',
    meaning: 'It touches nothing that this repository protects, and stays within the limits that you set.',
  },
  integrity: {
    label: 'Tests and settings untouched',
    meaning: 'It edits none of the tests, snapshots and settings that judge it, and silences no check.',
  },
  score: { label: 'Points', meaning: 'The repository has more points with the change than without it.' },
  types: { label: 'Types', meaning: 'The type checker finds no error that it did not find before.' },
  lint: { label: 'Linter', meaning: 'The linter finds no more in the edited files than before.' },
  tests: { label: 'Tests', meaning: 'Every test that passed before passes with the change.' },
  timing: { label: 'Not slower', meaning: 'The benchmark of the repository runs at least as fast as before.' },
  differential: {
    label: 'Same behaviour',
    meaning: 'Old and new code were run side by side on many inputs and did the same.',
  },
  guard: {
    label: 'Tests notice mistakes',
    meaning: 'Mistakes were put into the changed lines on purpose, and the tests noticed them.',
  },
};

/** "Same behaviour" for `differential`; an id that is not known stays as it is. */
export function checkLabel(gate: string): string {
  return checkWords[gate]?.label ?? gate;
}

/** A reason that begins with the id of a check, as a person reads it: "tests: 2 failed" → "Tests: 2 failed". */
export function plainReason(reason: string): string {
  return reason.replace(/^([a-z]+)(?=: )/, (gate) => checkLabel(gate));
}

const effects: Readonly<Record<string, string>> = {
  additive: 'only adds',
  behaviorPreserving: 'keeps what the code does',
  behaviorChanging: 'changes what the code does',
  critical: 'edits tests, settings or what a build reads',
};

/** What a change may do to who uses the code. To take a name out of the exports changes nothing inside. */
export function effectOf({ safety, recipe }: { readonly safety: string; readonly recipe: string }): string {
  if (recipe === 'unexport' && safety === 'behaviorChanging') return 'changes what other packages can import';
  return effects[safety] ?? safety;
}
