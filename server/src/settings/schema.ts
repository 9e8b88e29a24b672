// The one source of every setting: types, validation, package.json's contributes.configuration and docs/settings.md
// come from it.

import * as z from 'zod';
import { readRuleSettings, ruleSettingsSchema, type RuleSettings } from './ruleSettings.ts';

/**
 * VS Code scopes. `machine-overridable` and `machine` settings that name an executable or an approval level are also
 * listed under capabilities.untrustedWorkspaces.restrictedConfigurations (generated).
 */
export type SettingScope = 'window' | 'resource' | 'machine-overridable' | 'machine';

const shape = {
  'index.maxFileKilobytes': z
    .int()
    .min(16)
    .max(16384)
    .default(1024)
    .describe('Files larger than this (in KiB) are left out of the index and listed as skipped.'),
  'index.exclude': z
    .array(z.string())
    .default([])
    .describe(
      'Ignore patterns (as in .gitignore) for files that Selfware leaves alone, in addition to .gitignore and .selfwareignore.',
    ),
  'index.store': z
    .string()
    .default('')
    .describe(
      'Where the index of chunks is kept: empty = on this machine; `s3://bucket/prefix` or `db://name` = shared by everybody who sets the same. Credentials come from the environment (`AWS_…`, `LANCEDB_API_KEY`).',
    ),
  'search.workspaceSymbols': z
    .boolean()
    .default(true)
    .describe(
      'Answer the search for symbols of the workspace from the index, in every indexed language. Switch it off where another extension answers for your languages and you see each symbol twice.',
    ),
  'memory.contextTokens': z
    .int()
    .min(8000)
    .max(10_000_000)
    .default(1_000_000)
    .describe('Size of the context window in tokens. 70 % of it is semantic memory.'),
  'memory.embedder': z
    .enum(['static', 'transformers', 'provider'])
    .default('static')
    .describe(
      'Where vectors of code come from: `static` = the model that ships (nothing leaves the machine); `transformers` = a model on this machine by transformers.js, which you install; `provider` = a server that speaks the OpenAI embeddings protocol.',
    ),
  'memory.embedderModel': z
    .string()
    .default('')
    .describe('For `transformers` the folder of an ONNX feature-extraction model, for `provider` the name of a model.'),
  'memory.embedderUrl': z
    .string()
    .default('')
    .describe(
      'For `provider`: address up to and without `/embeddings`, such as `http://127.0.0.1:11434/v1`. A key is read from the environment variable `SELFWARE_EMBEDDER_KEY`. The code of the repository is sent there.',
    ),
  'memory.embedderLibrary': z
    .string()
    .default('')
    .describe('For `transformers`: the folder in which `npm install @huggingface/transformers` was run.'),
  'diagnostics.enable': z
    .boolean()
    .default(true)
    .describe('Mark opportunities in the code. Those that are more than hints are in the Problems panel, too.'),
  'diagnostics.scope': z
    .enum(['openFiles', 'changedFiles', 'all'])
    .default('changedFiles')
    .describe(
      'Which files have their opportunities marked (hints are dots in the code; VS Code keeps them out of the Problems panel): `openFiles` = those that are open in an editor; `changedFiles` = those, and files that differ from the last commit or were saved in this session; `all` = the whole repository.',
    ),
  'notifications.decisions': z
    .boolean()
    .default(true)
    .describe(
      'Tell when a proposal that was made in the background waits for your decision. Nothing else notifies unasked, except trouble.',
    ),
  'hover.enable': z
    .boolean()
    .default(true)
    .describe(
      'On an opportunity, say in one line what it is, unless the editor says it there already. Everywhere else the hover is left to others.',
    ),
  'hover.details': z
    .boolean()
    .default(false)
    .describe(
      'On the name of a function, show its figures and where each point of its complexity comes from; on an opportunity, its evidence and why it ranks where it does.',
    ),
  'codeLens.figures': z.boolean().default(false).describe('Show the figures of each function above it.'),
  'analysis.rules': ruleSettingsSchema.describe(
    'Rules by id: `"off"`, another severity (`"hint"`, `"information"`, `"warning"`), or, for rules that measure something, an object with a higher limit such as `{"cognitive-complexity": {"severity": "hint", "limit": 40}}`. Takes effect at once, and never changes points.',
  ),
  'analysis.linters': z
    .boolean()
    .default(true)
    .describe(
      'What the linters of the repository (ESLint, Biome, oxlint, XO, Ruff, Clippy, go vet, go fix) find and mend by themselves becomes opportunities, once nothing else is left to propose or when `selfware analyse --linters` asks for it. They are run in the sandbox, in trusted workspaces only.',
    ),
  'rules.disabled': z
    .array(z.string())
    .default([])
    .describe('Rules that are switched off, by id, in addition to those that `selfware.analysis.rules` says are off.'),
  'charter.approval': z
    .enum(['strict', 'moderate', 'minimal'])
    .default('strict')
    .describe(
      'Which changes ask for approval: strict = all; moderate = critical ones and those over 100 lines; minimal = safety-critical ones only.',
    ),
  'charter.maxChanges': z
    .int()
    .min(0)
    .max(1000)
    .default(10)
    .describe('At most this many changes are applied in a session.'),
  'charter.protectedPaths': z
    .array(z.string())
    .default([])
    .describe(
      'Ignore patterns (as in .gitignore) for files that no proposal may touch, in addition to the built-in ones (CI, manifests, files that programs start with, safety code, the ruler).',
    ),
  'agents.mcpServer': z
    .boolean()
    .default(false)
    .describe(
      'In VS Code, publish Selfware as a server of the Model Context Protocol too, for agents that use only such servers. It takes the place of the tools that Copilot and other extensions find without it, so that no tool is there twice.',
    ),
  'verify.typesCommand': z
    .string()
    .default('')
    .describe('Command of the type check. Empty: detected (package script, tsc).'),
  'verify.lintCommand': z
    .string()
    .default('')
    .describe(
      'Command of the linter. Empty: detected (ESLint, Biome, oxlint, XO, package script; Ruff, Clippy, go vet besides).',
    ),
  'verify.testCommand': z
    .string()
    .default('')
    .describe('Command that runs the tests. Empty: detected (package script).'),
  'verify.benchCommand': z
    .string()
    .default('')
    .describe(
      'A benchmark: a command that takes longer when the repository is slower, such as `npm run bench`. Run in turns with and without a change; slower beyond the measured noise refuses it. Empty: there is no such gate.',
    ),
  'verify.timeoutSeconds': z
    .int()
    .min(5)
    .max(7200)
    .default(600)
    .describe('A check that runs longer is ended, and its answer is unknown.'),
  'apply.probation': z
    .enum(['checks', 'always', 'points'])
    .default('checks')
    .describe(
      'How a change is judged once it is in your tree, before it is kept: `checks` = its points, and types and tests too unless they have passed on exactly this tree already; `always` = points, types and tests; `points` = its points alone.',
    ),
  'commit.branch': z
    .string()
    .min(1)
    .default('selfware/improvements')
    .describe(
      'Branch that kept changes are committed to on request. It is made from HEAD when there is none; the branch that you have checked out is never moved by this.',
    ),
  'commit.subject': z
    .string()
    .min(1)
    .default('{title}')
    .describe(
      'First line of such a commit. `{title}` and `{recipe}` stand for those of the change, for instance `refactor: {title}`.',
    ),
  'verify.differentialSeconds': z
    .int()
    .min(0)
    .max(3600)
    .default(20)
    .describe(
      'Calls the touched functions of the old and the new code side by side with generated inputs for this long, for all of a proposal together. 0 switches it off.',
    ),
  'verify.guardSeconds': z
    .int()
    .min(0)
    .max(7200)
    .default(60)
    .describe(
      'Puts mistakes into the touched lines on purpose and looks whether the tests notice them, for this long. 0 switches it off.',
    ),
  'verify.guardMutants': z
    .int()
    .min(1)
    .max(500)
    .default(20)
    .describe('At most this many mistakes are put in on purpose, spread evenly over the touched lines.'),
  'verify.guardStrength': z
    .int()
    .min(1)
    .max(100)
    .default(80)
    .describe(
      'Of a hundred mistakes put in on purpose, the tests must notice this many to count as strong. A change of lines whose tests are weaker always asks for approval, unless old and new code were seen to do the same.',
    ),
  'checkpoints.keep': z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('Number of checkpoints that are kept; older ones are forgotten.'),
} as const;

/** Scope of settings that are not plain `resource`. */
export const scopes: Partial<Record<keyof typeof shape, SettingScope>> = {
  // A repository brings `.vscode/settings.json` along, so what decides about proof is for a person's own settings.
  'charter.approval': 'machine',
  'charter.maxChanges': 'machine',
  'charter.protectedPaths': 'machine',
  'verify.differentialSeconds': 'machine',
  'verify.guardSeconds': 'machine',
  'verify.guardMutants': 'machine',
  'verify.guardStrength': 'machine',
  'apply.probation': 'machine',
  'checkpoints.keep': 'machine',
  'verify.typesCommand': 'machine-overridable',
  'verify.lintCommand': 'machine-overridable',
  'verify.testCommand': 'machine-overridable',
  'verify.benchCommand': 'machine-overridable',
  'index.store': 'machine',
  'memory.embedder': 'machine',
  'memory.embedderModel': 'machine',
  'memory.embedderUrl': 'machine',
  'memory.embedderLibrary': 'machine',
  'memory.contextTokens': 'window',
  'agents.mcpServer': 'window',
  'diagnostics.scope': 'window',
  'notifications.decisions': 'window',
};

export const settingsSchema = z.object(shape);

/** Every name, without the `selfware.` prefix. */
export const settingNames: ReadonlySet<string> = new Set(Object.keys(shape));

/** Every setting by its dotted name without the `selfware.` prefix. */
export type Settings = Omit<z.infer<typeof settingsSchema>, 'analysis.rules'> & {
  readonly 'analysis.rules': RuleSettings;
};

export const defaultSettings: Settings = { ...settingsSchema.parse({}), 'analysis.rules': {} };

/**
 * Validates raw settings name by name: a bad value falls back to its default and is reported, so that one typing
 * mistake
 * does not switch the product off. Unknown names are reported too.
 */
export function readSettings(raw: Readonly<Record<string, unknown>>): {
  readonly settings: Settings;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const settings: Record<string, unknown> = { ...defaultSettings };
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined || value === null) continue;
    if (name === 'analysis.rules') {
      const read = readRuleSettings(value);
      settings[name] = read.rules;
      problems.push(...read.problems);
      continue;
    }
    // A name from outside may be one that every object has, such as `constructor`.
    const schema = settingNames.has(name) ? (shape as Record<string, z.ZodType>)[name] : undefined;
    if (!schema) {
      problems.push(`Unknown setting selfware.${name.slice(0, 100)}.`);
      continue;
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) settings[name] = parsed.data;
    else
      problems.push(
        `selfware.${name}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}. The default is used.`,
      );
  }
  return { settings: settings as Settings, problems };
}
