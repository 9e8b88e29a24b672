// Reads the configuration files of the repository, to decide whether a rule repeats what they enforce.

import { collectEnforced, type ConfigFile, type Enforced } from '../../learn/enforced/configuredStyle.ts';
import { explainEnforced, hintEnforced } from '../../learn/enforced/explainEnforced.ts';
import { parseConfig, readString, type Format, type Table } from '../../index/graph/config/readConfig.ts';
import type { SessionContext } from '../context.ts';
import { readTextOrNull } from '../search/packing.ts';

/** The files that are read, all in the root, with their format; null for a file whose text is not parsed. */
const CONFIG_FILES: readonly (readonly [path: string, format: Format | null])[] = [
  ['biome.json', 'json'],
  ['biome.jsonc', 'json'],
  ['.prettierrc', 'yaml'],
  ['.prettierrc.json', 'json'],
  ['.prettierrc.json5', 'json'],
  ['.prettierrc.yaml', 'yaml'],
  ['.prettierrc.yml', 'yaml'],
  ['.prettierrc.toml', 'toml'],
  ...['js', 'cjs', 'mjs', 'ts'].flatMap((end): (readonly [string, null])[] => [
    [`.prettierrc.${end}`, null],
    [`prettier.config.${end}`, null],
    [`eslint.config.${end}`, null],
  ]),
  ['.oxfmtrc.json', 'json'],
  ['.oxfmtrc.jsonc', 'json'],
  ['.eslintrc', 'yaml'],
  ['.eslintrc.json', 'json'],
  ['.eslintrc.yaml', 'yaml'],
  ['.eslintrc.yml', 'yaml'],
  ['.eslintrc.js', null],
  ['.eslintrc.cjs', null],
  ['.oxlintrc.json', 'json'],
  ['package.json', 'json'],
];
/** Maximum number of TypeScript configuration files that are followed through `extends`. */
const MAX_EXTENDED = 5;
/** Maximum number of characters of a file that is read. */
const MAX_CHARACTERS = 200_000;

/**
 * Explains why nobody has to be told a rule, by naming the files of the repository that enforce it. Null if they do not
 * enforce all of it.
 */
export async function explainEnforcedRule(context: SessionContext, text: string): Promise<string | null> {
  return explainEnforced(text, await readEnforced(context));
}

/**
 * A hint for a person that files of the repository enforce the rule, which is accepted nevertheless; null if they do
 * not enforce it.
 */
export async function hintEnforcedRule(context: SessionContext, text: string): Promise<string | null> {
  return hintEnforced(text, await readEnforced(context));
}

/** Everything that the configuration of the repository enforces. Files that cannot be read enforce nothing. */
export async function readEnforced(context: SessionContext): Promise<readonly Enforced[]> {
  const files = await Promise.all(CONFIG_FILES.map(([path, format]) => readFile(context, path, format)));
  const existingFiles = files.filter((file) => file !== null);
  return collectEnforced([...existingFiles, ...(await readCompilerOptions(context))]);
}

async function readFile(context: SessionContext, path: string, format: Format | null): Promise<ConfigFile | null> {
  const text = await readTextOrNull(context, path);
  if (text === null || text.length > MAX_CHARACTERS) return null;
  if (format === null) return { path, content: text };
  const parsed = parseConfig({ path, text, format });
  return 'table' in parsed ? { path, content: parsed.table } : null;
}

/**
 * TypeScript's configuration in the root and the files in the root that it extends. The options of a file take
 * precedence over those of the files that it extends.
 */
async function readCompilerOptions(context: SessionContext): Promise<readonly ConfigFile[]> {
  const files: ConfigFile[] = [];
  const setKeys = new Set<string>();
  let path: string | null = 'tsconfig.json';
  for (let fileCount = 0; path !== null && fileCount < MAX_EXTENDED; fileCount++) {
    const file: ConfigFile | null = await readFile(context, path, 'json');
    if (!file || typeof file.content === 'string') break;
    const options = file.content['compilerOptions'];
    const ownOptions = Object.entries(typeof options === 'object' && options !== null ? (options as Table) : {});
    const keptOptions = Object.fromEntries(ownOptions.filter(([key]) => !setKeys.has(key)));
    files.push({ path, content: { compilerOptions: keptOptions } });
    for (const [key] of ownOptions) setKeys.add(key);
    const extendedPath: string | null = readString(file.content, 'extends');
    // Only files in the root are followed; those of packages and other folders are not.
    path = extendedPath !== null && /^\.\/[\w.-]+\.json$/.test(extendedPath) ? extendedPath.slice(2) : null;
  }
  return files;
}
