// The façade's sections `questions` and `failedTasks`.

import type { AskedTask, FailedTask, Intervention, Spending } from '../../../model/asks.ts';
import type { AvailableProposer } from '../../../ports/proposers.ts';
import type { AskPause } from '../../../proposers/outages.ts';
import type { AcceptanceOutcome, AcceptanceRequest } from '../acceptanceTypes.ts';
import type { AskNextOutcome, AskNextRequest, AskOutcome, AskRequest } from '../askTypes.ts';
import type { CanaryOutcome, CanaryRequest } from '../canaryTypes.ts';

/** Section `questions`: what is asked of language models and coding agents. */
export interface Questions {
  /** Asks a proposer once and files its answer; nothing is verified. Throws `untrusted`, `usage`, `notFound`. */
  ask(request: AskRequest): Promise<AskOutcome>;
  /** Asks a proposer for the most valuable tasks until a proposal is filed. Throws the errors of `ask`. */
  askNext(request: AskNextRequest): Promise<AskNextOutcome>;
  /** Asks for the acceptance test of a request, and shows that it fails today. Files nothing. Throws like `ask`. */
  acceptanceTest(request: AcceptanceRequest): Promise<AcceptanceOutcome>;
  /** Gives a proposer a task that cannot be solved. Files nothing. Throws the errors of `ask`. */
  canary(request: CanaryRequest): Promise<CanaryOutcome>;
  /** What prevents an answer of these proposers to tasks of the kind now, or null. Without a kind, any task will do. */
  askPause(proposer: string, kind?: AskedTask['kind'] | null): Promise<AskPause | null>;
  /** The available proposers. Contacts servers on this machine, so call this only if a person wants to see them. */
  proposers(signal: AbortSignal): Promise<readonly AvailableProposer[]>;
  /** The cost of questions within the last 24 hours. */
  spending(): Promise<Spending>;
  /** The id under which the ledger records the questions of this session. */
  runId(): string;
}

/** Section `failedTasks`: tasks at which all attempts of models and agents have failed so far. */
export interface FailedTasks {
  /** Tasks that wait for a person because all attempts failed, or the one with this id. A notice shows each once. */
  interventions(id?: string): Promise<readonly Intervention[]>;
  /** Tasks at which all attempts so far have failed, without those that a person has dropped. Shows no notice. */
  all(): Promise<readonly FailedTask[]>;
  /** What was tried at a failed task, what was learned from it, and what a person could correct. */
  describe(task: FailedTask): Promise<Intervention>;
  /** Records that a person no longer wants this task. It is listed again once a model or agent is asked about it. */
  drop(id: string): Promise<void>;
}
