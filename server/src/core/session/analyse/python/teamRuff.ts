// Leaves findings about Python code to the team's own Ruff, if the repository configures it.

import type { Opportunity } from '../../../model.ts';
import type { SessionContext } from '../../context.ts';
import { readTextOrNull } from '../../search/packing.ts';

/** A configuration of Ruff. `folder`: '' for the root. */
interface RuffConfiguration {
  readonly folder: string;
  readonly text: string;
}

const CONFIGURATION_PATTERN = /(?:^|\/)(?:\.?ruff|pyproject)\.toml$/;
/** Matches the section for Ruff in `pyproject.toml`. */
const SECTION_PATTERN = /^[^\S\n]*\[tool\.ruff[\].]/m;

/** The last answer for each session. `files`: the paths and hashes of the files from which it was read. */
const lastConfigurations = new WeakMap<
  SessionContext,
  { readonly files: string; readonly configurations: Promise<readonly RuffConfiguration[]> }
>();

/**
 * Removes findings of `python-unused` in folders for which the repository configures Ruff, and those of `python-fault`
 * whose code that configuration names. Files are read again only after one of them has changed.
 */
export async function removeRuffOfTeam(
  context: SessionContext,
  opportunities: readonly Opportunity[],
): Promise<readonly Opportunity[]> {
  if (!opportunities.some(isAboutPython)) return opportunities;
  const configurations = await findConfigurations(context);
  if (configurations.length === 0) return opportunities;
  return opportunities.filter(
    (opportunity) =>
      !isAboutPython(opportunity) || !configurations.some((configuration) => isDecidedBy(configuration, opportunity)),
  );
}

function isAboutPython({ rule }: Opportunity): boolean {
  return rule === 'python-unused' || rule === 'python-fault';
}

function isDecidedBy({ folder, text }: RuffConfiguration, { path, rule, evidence }: Opportunity): boolean {
  const isInside = folder === '' || path.startsWith(`${folder}/`);
  return isInside && (rule === 'python-unused' || new RegExp(`["']${String(evidence['code'])}["']`).test(text));
}

function findConfigurations(context: SessionContext): Promise<readonly RuffConfiguration[]> {
  const analyses = [...context.state.analyses.values()].filter(({ path }) => CONFIGURATION_PATTERN.test(path));
  const files = analyses.map(({ path, hash }) => `${path} ${hash}`).join('\n');
  const lastAnswer = lastConfigurations.get(context);
  if (lastAnswer?.files === files) return lastAnswer.configurations;
  const configurations = readConfigurations(
    context,
    analyses.map(({ path }) => path),
  );
  lastConfigurations.set(context, { files, configurations });
  return configurations;
}

async function readConfigurations(
  context: SessionContext,
  paths: readonly string[],
): Promise<readonly RuffConfiguration[]> {
  const configurations = await Promise.all(
    paths.map(async (path) => ({
      folder: path.slice(0, Math.max(0, path.lastIndexOf('/'))),
      text: (await readTextOrNull(context, path)) ?? '',
      isChosen: path.endsWith('ruff.toml'),
    })),
  );
  return configurations.filter(({ text, isChosen }) => isChosen || SECTION_PATTERN.test(text));
}
