// Types of the façade's sections `questions` and `failedTasks`.

import type { AskedTask, FailedTask, Intervention, Spending } from '../../../model/asks.ts';
import type { AvailableProposer } from '../../../ports/proposers.ts';
import type { AskPause } from '../../../proposers/outages.ts';
import type { AcceptanceOutcome, AcceptanceRequest } from '../acceptanceTypes.ts';
import type { AskNextOutcome, AskNextRequest, AskOutcome, AskRequest } from '../askTypes.ts';
import type { CanaryOutcome, CanaryRequest } from '../canaryTypes.ts';

/** Section `questions`: questions to language models and coding agents, and their costs. */
export interface Questions {
  /**
   * Asks a proposer once and files its answer; nothing is verified. Throws `untrusted`, `usage`, `forbidden`,
   * `notFound`, `stale`, `unavailable`, `cancelled`, and `paused` with `toApply`.
   */
  ask(request: AskRequest): Promise<AskOutcome>;
  /** Asks a proposer for the most valuable tasks until a proposal is filed. Throws the errors of `ask`. */
  askNext(request: AskNextRequest): Promise<AskNextOutcome>;
  /**
   * Asks for the acceptance test of a request, and shows that it fails today. Files nothing. Throws the errors of
   * `ask`.
   */
  acceptanceTest(request: AcceptanceRequest): Promise<AcceptanceOutcome>;
  /** Gives a proposer a task that cannot be solved. Files nothing. Throws the errors of `ask`. */
  canary(request: CanaryRequest): Promise<CanaryOutcome>;
  /**
   * The reason why none of these proposers can be asked now about a task of this kind, with the time at which that
   * ends; null if one can. Without `kind`, any task will do.
   */
  askPause(proposer: string, kind?: AskedTask['kind'] | null): Promise<AskPause | null>;
  /** The available proposers. Contacts servers on this machine, so call this only if a person wants to see them. */
  proposers(signal: AbortSignal): Promise<readonly AvailableProposer[]>;
  /** The cost of questions within the last 24 hours. */
  spending(): Promise<Spending>;
  /** The id under which the ledger records the questions of this session. */
  runId(): string;
}

/** Section `failedTasks`: tasks on which all attempts of models and agents have failed so far. */
export interface FailedTasks {
  /**
   * Tasks that wait for a person because all attempts have failed; with `id`, only that one. Adds a notice about each,
   * once in a session.
   */
  interventions(id?: string): Promise<readonly Intervention[]>;
  /** All tasks on which all attempts so far have failed, without those that a person has dropped. Adds no notice. */
  all(): Promise<readonly FailedTask[]>;
  /** Describes what was tried at a failed task, what was learned from it, and what a person could correct. */
  describe(task: FailedTask): Promise<Intervention>;
  /** Records that a person no longer wants this task. It is listed again once a model or agent is asked about it. */
  drop(id: string): Promise<void>;
}
