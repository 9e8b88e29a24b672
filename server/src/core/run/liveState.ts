// The state that the process of an unattended run records about itself.

import type { Millis } from '../model.ts';
import type { Progress } from '../operation.ts';

/** The state that the process of a run records about itself, about once a second. */
export interface LiveState {
  readonly pid: number;
  /** The time at which this process started; an earlier process may have started the run. */
  readonly startedAt: Millis;
  /** The time at which this state was recorded. */
  readonly at: Millis;
  /** The newest progress report; null if there was none yet. */
  readonly progress: Progress | null;
  /** The time at which the run entered the stage of `progress`. */
  readonly stageSince: Millis;
  /** Title of the proposal, or text of the wish, that is being tried; null between two tries. */
  readonly trying: string | null;
  /** Number of proposals and wishes that this process has tried. */
  readonly tries: number;
  /** Resident memory of this process, in MB. */
  readonly rssMb: number;
  /** Processor time of this process in seconds; the tests run in other processes. */
  readonly cpuSeconds: number;
  /** The reasons why the run continues with less than it should have; absent if there are none. */
  readonly degraded?: readonly string[] | undefined;
  /** Set if this process ends after its current step, for another process to continue the run. */
  readonly isDraining?: true | undefined;
}
