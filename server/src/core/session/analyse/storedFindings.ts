// Stores the findings of rules about several files, so that another process on the same tree need not compute them
// again.

import { sha256 } from '../../../util/hash.ts';
import type { Opportunity } from '../../model.ts';
import type { SessionContext } from '../context.ts';

/** Findings by rule. */
export type FoundByRule = Readonly<Record<string, readonly Opportunity[]>>;

/** The name of the blob with the stored findings. */
const BLOB_NAME = 'project-findings.json';
/** Version of the stored form. Increase it whenever the form changes. */
const FORMAT_VERSION = 1;
/** Rules whose findings depend on data outside of the tree, such as a coverage report or installed packages. */
const NEVER_STORED_RULES: ReadonlySet<string> = new Set(['test-gap', 'unused-dependency']);

/** The key of stored findings. `ground`: everything that the findings depend on, except the program. */
export function computeFindingsKey({ ports, recordProfile }: SessionContext, ground: readonly unknown[]): string {
  return sha256(
    new TextEncoder().encode(JSON.stringify([FORMAT_VERSION, recordProfile, ports.embedder.profile, ...ground])),
  );
}

/** The stored findings; empty if there are none for this key. */
export async function readFindings({ ports }: SessionContext, key: string): Promise<FoundByRule> {
  const bytes = await ports.blobs.read(BLOB_NAME);
  if (!bytes) return {};
  try {
    const storedFindings = JSON.parse(new TextDecoder().decode(bytes)) as {
      readonly key?: string;
      readonly found?: FoundByRule;
    } | null;
    return storedFindings?.key === key ? (storedFindings.found ?? {}) : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    ports.log.write('debug', 'The kept findings are damaged; they are built again.', error);
    return {};
  }
}

/** Replaces the stored findings. */
export async function storeFindings({ ports }: SessionContext, key: string, findings: FoundByRule): Promise<void> {
  const storedFindings = Object.fromEntries(Object.entries(findings).filter(([rule]) => !NEVER_STORED_RULES.has(rule)));
  await ports.blobs.write(BLOB_NAME, new TextEncoder().encode(JSON.stringify({ key, found: storedFindings })));
}
