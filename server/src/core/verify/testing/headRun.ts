// The types of a test run with the change that comes before the one without it.

import type { VerifyContext } from '../context.ts';
import type { DetectedCommand } from '../detect/command.ts';
import type { TestCommands, TestRun } from './testRun.ts';

/** The run of all tests with the change. */
export interface HeadRun {
  readonly command: DetectedCommand;
  readonly commands: TestCommands;
  readonly head: TestRun;
}

/** Shared by the gates of one judgement. */
export interface HeadFirst {
  /** Reads which tests these files declare. */
  readonly fixedTests: NonNullable<VerifyContext['fixedTests']>;
  /** Set by the gate `tests` if the run without the change is not needed. */
  enough: HeadRun | null;
}
