// Gathers the data that the order of opportunities depends on: imports, history, complexity, and earlier decisions.
import { NO_DECISIONS, type Decisions } from '../../prioritise/calibrate.ts';
import { churnOf, type Churn } from '../../prioritise/churn.ts';
import { complexityOf } from '../../prioritise/priority.ts';
import type { PriorityContext } from '../../prioritise/priorityContext.ts';
import { unlessDamaged, type SessionContext } from '../context.ts';
import type { FileAnalysis } from '../../ports/catalogue.ts';

/** Number of commits that are read for the order; older ones hardly matter. */
const COMMITS = 1_000;
const BLOB = 'churn.json';

interface Read {
  readonly head: string | null;
  readonly churn: ReadonlyMap<string, Churn>;
}

interface OfFiles {
  readonly complexity: ReadonlyMap<string, number>;
  /** Comments that suppress a rule, by rule. */
  readonly suppressed: ReadonlyMap<string, number>;
}

const churns = new WeakMap<SessionContext, Read>();
const ofFiles = new WeakMap<ReadonlyMap<string, FileAnalysis>, OfFiles>();

/** `whole`: reads the history if it is not known yet, which takes a moment. Otherwise only known data is used. */
export async function priorityContextOf(context: SessionContext, whole: boolean): Promise<PriorityContext> {
  const { state, ledger } = context;
  const { complexity, suppressed } = filesOf(state.analyses);
  const churn = whole ? await readChurn(context) : churns.get(context)?.churn;
  return {
    inDegree: state.inDegree,
    pageRank: state.rank,
    ...(churn ? { churn } : {}),
    complexity,
    decisions: withSuppressed(
      await unlessDamaged<ReadonlyMap<string, Omit<Decisions, 'suppressed'>>>(context, new Map(), () =>
        ledger.decisions(),
      ),
      suppressed,
    ),
    refused: new Set(),
  };
}

/** Changes of files in the newest commits; cached until HEAD moves. */
async function readChurn(context: SessionContext): Promise<ReadonlyMap<string, Churn>> {
  const { ports } = context;
  const head = (await ports.git.state())?.head ?? null;
  const known = churns.get(context);
  if (known && known.head === head) return known.churn;
  const stored = head === null ? null : decode(await ports.blobs.read(BLOB));
  const read: Read =
    stored?.head === head
      ? stored
      : {
          head,
          churn: churnOf(head === null ? [] : await ports.history.commits(COMMITS, new AbortController().signal)),
        };
  churns.set(context, read);
  if (read !== stored && head !== null)
    await ports.blobs.write(BLOB, new TextEncoder().encode(JSON.stringify({ head, churn: [...read.churn] })));
  return read.churn;
}

/** A blob may be missing or of another version; it is made again then. */
function decode(bytes: Uint8Array | null): Read | null {
  if (!bytes) return null;
  try {
    const { head, churn } = JSON.parse(new TextDecoder().decode(bytes)) as {
      readonly head: string;
      readonly churn: readonly (readonly [string, Churn])[];
    };
    return { head, churn: new Map(churn) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

function filesOf(analyses: ReadonlyMap<string, FileAnalysis>): OfFiles {
  const known = ofFiles.get(analyses);
  if (known) return known;
  const suppressed = new Map<string, number>();
  for (const file of analyses.values())
    for (const { opportunity } of file.suppressed)
      suppressed.set(opportunity.rule, (suppressed.get(opportunity.rule) ?? 0) + 1);
  const made: OfFiles = {
    complexity: complexityOf([...analyses.values()].flatMap(({ functions }) => functions)),
    suppressed,
  };
  ofFiles.set(analyses, made);
  return made;
}

function withSuppressed(
  decisions: ReadonlyMap<string, Omit<Decisions, 'suppressed'>>,
  suppressed: ReadonlyMap<string, number>,
): ReadonlyMap<string, Decisions> {
  return new Map(
    [...new Set([...decisions.keys(), ...suppressed.keys()])].map((rule) => [
      rule,
      { ...NO_DECISIONS, ...decisions.get(rule), suppressed: suppressed.get(rule) ?? 0 },
    ]),
  );
}
