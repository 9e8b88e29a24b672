// Stores the verdicts of a verification in progress, so that an interrupted one continues at the same gate.

import { canonicalJson } from '../../util/canonicalJson.ts';
import { sha256 } from '../../util/hash.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { Verdict } from '../model.ts';
import type { GateName } from '../model/gates.ts';
import { COMMAND_GATES } from '../model/gateStages.ts';
import type { BaselineStore } from './baseline.ts';

const DOCUMENT_NAME = 'unfinished-verifications-1';
/** Maximum number of stored verifications. A person rarely starts more of them without finishing one. */
const MAX_ENTRIES = 12;

/** The kept verdicts of one verification. */
export interface KeptVerdicts {
  /** The verdict with which the gate passed before the interruption; undefined if there is none. */
  find(gate: GateName): Verdict | undefined;
  /** Stores a verdict of a resumable gate that has passed; ignores any other verdict. */
  keep(verdict: Verdict): Promise<void>;
  /** Removes the kept verdicts. Call this when the verification has ended. */
  forget(): Promise<void>;
}

/** The kept verifications by key, oldest first. */
interface StoredVerifications {
  readonly entries: readonly (readonly [key: string, verdicts: readonly Verdict[]])[];
}

const NO_KEPT_VERDICTS: KeptVerdicts = {
  find: () => undefined,
  keep: async () => undefined,
  forget: async () => undefined,
};

/**
 * Opens the stored verdicts of a verification. `tree`: key of the tree with the change; null if nothing is stored.
 * `otherInputs`: everything else on which the answers depend. A damaged or full store costs time, but never causes a
 * wrong answer.
 */
export async function openUnfinished(
  store: BaselineStore | null,
  tree: string | null,
  otherInputs: unknown,
  warn: (message: string, cause: unknown) => void = () => {},
): Promise<KeptVerdicts> {
  if (!store || tree === null) return NO_KEPT_VERDICTS;
  const key = sha256(canonicalJson({ tree, rest: otherInputs }));
  const verdicts = new Map<GateName, Verdict>(
    (await read()).find(([entryKey]) => entryKey === key)?.[1].map((verdict) => [verdict.gate, verdict]),
  );
  return {
    find: (gate) => verdicts.get(gate),
    async keep(verdict) {
      if (verdict.outcome !== 'passed' || !COMMAND_GATES.has(verdict.gate)) return;
      verdicts.set(verdict.gate, verdict);
      await write([[key, [...verdicts.values()]]]);
    },
    async forget() {
      if (verdicts.size > 0) await write([]);
    },
  };

  async function read(): Promise<StoredVerifications['entries']> {
    try {
      return (await store?.read<StoredVerifications>(DOCUMENT_NAME))?.entries ?? [];
    } catch (error) {
      if (!(error instanceof SelfwareError)) throw error;
      warn('What an interrupted verification had shown could not be read; it is run again.', error);
      return [];
    }
  }

  async function write(entries: StoredVerifications['entries']): Promise<void> {
    const otherEntries = (await read()).filter(([entryKey]) => entryKey !== key);
    try {
      await store?.write(DOCUMENT_NAME, {
        entries: [...otherEntries, ...entries].slice(-MAX_ENTRIES),
      } satisfies StoredVerifications);
    } catch (error) {
      warn(
        'What was shown so far could not be kept; a verification that is cut off starts again from the beginning.',
        error,
      );
    }
  }
}
