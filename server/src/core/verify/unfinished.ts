// Verdicts of a verification in progress, kept until it ends, so that an interrupted one continues where it was.

import { canonicalJson, sha256 } from '../../util/canonicalJson.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { Verdict } from '../model.ts';
import { LASTING_GATES, type GateName } from '../model/gates.ts';
import type { BaselineStore } from './baseline.ts';

const LASTING: ReadonlySet<GateName> = new Set(LASTING_GATES);
const DOCUMENT = 'unfinished-verifications-1';
/** A person starts few verifications without letting one end. */
const ENTRIES = 12;

/** Of one verification. */
export interface Unfinished {
  /** What passed before the process was cut off. */
  find(gate: GateName): Verdict | undefined;
  /** Another gate has passed. */
  keep(verdict: Verdict): Promise<void>;
  /** It has ended. */
  forget(): Promise<void>;
}

/** By key, oldest first. */
interface Kept {
  readonly entries: readonly (readonly [key: string, verdicts: readonly Verdict[]])[];
}

const NOTHING: Unfinished = { find: () => undefined, keep: async () => undefined, forget: async () => undefined };

/**
 * `tree`: names the tree with the change in it; null = nothing is kept. `rest`: all else that the answers rest on. A
 * store that is damaged or full costs time, never an answer.
 */
export async function openUnfinished(
  store: BaselineStore | null,
  tree: string | null,
  rest: unknown,
  complain: (message: string, cause: unknown) => void = () => {},
): Promise<Unfinished> {
  if (!store || tree === null) return NOTHING;
  const key = sha256(canonicalJson({ tree, rest }));
  const verdicts = new Map<GateName, Verdict>(
    (await read()).find(([known]) => known === key)?.[1].map((verdict) => [verdict.gate, verdict]),
  );
  return {
    find: (gate) => verdicts.get(gate),
    async keep(verdict) {
      if (verdict.outcome !== 'passed' || !LASTING.has(verdict.gate)) return;
      verdicts.set(verdict.gate, verdict);
      await write([[key, [...verdicts.values()]]]);
    },
    async forget() {
      if (verdicts.size > 0) await write([]);
    },
  };

  async function read(): Promise<Kept['entries']> {
    try {
      return (await store?.read<Kept>(DOCUMENT))?.entries ?? [];
    } catch (error) {
      if (!(error instanceof SelfwareError)) throw error;
      complain('What an interrupted verification had shown could not be read; it is run again.', error);
      return [];
    }
  }

  async function write(own: Kept['entries']): Promise<void> {
    const others = (await read()).filter(([known]) => known !== key);
    try {
      await store?.write(DOCUMENT, { entries: [...others, ...own].slice(-ENTRIES) } satisfies Kept);
    } catch (error) {
      complain('What was shown so far could not be kept; a verification that is cut off starts anew.', error);
    }
  }
}
