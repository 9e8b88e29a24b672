// Defines every setting: its type, validation and description. contributes.configuration in package.json and
// docs/settings.md are derived from this file.

import * as z from 'zod';
import { modelSettings } from './modelSettings.ts';
import { learnSettings } from './learnSettings.ts';
import { nightSettings } from './nightSettings.ts';
import { performanceSettings } from './performanceSettings.ts';
import { authorsSchema } from './authorsSchema.ts';
import { readRuleSettings, ruleSettingsSchema, type RuleSettings } from './ruleSettings.ts';

/**
 * The scopes of settings in VS Code. Settings with the scope `machine-overridable` or `machine` are also listed under
 * capabilities.untrustedWorkspaces.restrictedConfigurations (generated).
 */
export type SettingScope = 'window' | 'resource' | 'machine-overridable' | 'machine';

const settingSchemas = {
  'index.maxFileKilobytes': z
    .int()
    .min(16)
    .max(16384)
    .default(1024)
    .describe('Files larger than this (in KiB) are not indexed; they are listed as skipped.'),
  'index.exclude': z
    .array(z.string())
    .default([])
    .describe(
      'Ignore patterns (as in .gitignore) for files that Selfware does not read, in addition to .gitignore and .selfwareignore.',
    ),
  'index.store': z
    .string()
    .default('')
    .describe(
      'Where the index is kept: empty = on this machine; `s3://bucket/prefix` or `db://name` = shared by everybody with the same value. Credentials come from the environment (`AWS_…`, `LANCEDB_API_KEY`).',
    ),
  'search.workspaceSymbols': z
    .boolean()
    .default(true)
    .describe(
      'Answer workspace symbol searches from the index, in every indexed language. Switch this off if another extension already answers for your languages and you see each symbol twice.',
    ),
  'memory.contextTokens': z
    .int()
    .min(8000)
    .max(10_000_000)
    .default(1_000_000)
    .describe('Size of the context window in tokens. Semantic memory gets 70 % of it.'),
  'memory.references': z
    .array(z.string().min(1))
    .max(50)
    .default([])
    .describe(
      'Folders with other repositories, by absolute path, in which similar solutions are searched besides the repositories in the folder around this one.',
    ),
  'memory.embedder': z
    .enum(['static', 'transformers', 'provider'])
    .default('static')
    .describe(
      'Where vectors of code come from: `static` = the shipped model (nothing leaves the machine); `transformers` = a model on this machine that runs on transformers.js, which you install; `provider` = a server with the OpenAI embeddings protocol.',
    ),
  'memory.embedderModel': z
    .string()
    .default('')
    .describe(
      'For `transformers`: the folder of an ONNX feature-extraction model, or the name of one that `selfware models download` has fetched. For `provider`: the name of a model.',
    ),
  'memory.embedderUrl': z
    .string()
    .default('')
    .describe(
      'For `provider`: the address without `/embeddings`, such as `http://127.0.0.1:11434/v1`. The key is read from the environment variable `SELFWARE_EMBEDDER_KEY`. The code of the repository is sent to this server.',
    ),
  'memory.embedderLibrary': z
    .string()
    .default('')
    .describe(
      'For `transformers`: a folder in which `npm install @huggingface/transformers` was run. Empty: the one of `selfware models install embeddings`.',
    ),
  ...modelSettings,
  ...nightSettings,
  ...learnSettings,
  ...performanceSettings,
  'diagnostics.enable': z
    .boolean()
    .default(true)
    .describe(
      'Mark opportunities in the code. Most are hints, which show as dots; all others are also listed in the Problems panel.',
    ),
  'diagnostics.scope': z
    .enum(['openFiles', 'changedFiles', 'all'])
    .default('changedFiles')
    .describe(
      'In which files opportunities are marked: `openFiles` = files that are open in an editor; `changedFiles` = also files that differ from the last commit or were saved in this session; `all` = the whole repository. Most are hints, which show as dots in the code and are not in the Problems panel.',
    ),
  'notifications.decisions': z
    .boolean()
    .default(true)
    .describe(
      'Notify when a proposal that was made in the background waits for your decision. All other notifications report trouble.',
    ),
  'hover.enable': z
    .boolean()
    .default(true)
    .describe('Describe an opportunity in one line when the mouse is over it, unless the editor already does so.'),
  'hover.details': z
    .boolean()
    .default(false)
    .describe(
      'On hover, show details: for the name of a function its figures and where each point of its complexity comes from; for an opportunity its evidence and why it ranks where it does.',
    ),
  'codeLens.figures': z.boolean().default(false).describe('Show the complexity and size of each function above it.'),
  'analysis.rules': ruleSettingsSchema.describe(
    'Rules by id: `"off"`, another severity (`"hint"`, `"information"`, `"warning"`), or, for rules that measure something, an object with a higher limit such as `{"cognitive-complexity": {"severity": "hint", "limit": 40}}`. A change takes effect at once and never changes points.',
  ),
  'analysis.linters': z
    .boolean()
    .default(true)
    .describe(
      'List what the linters of the repository (ESLint, Biome, oxlint, XO, Ruff, Clippy, golangci-lint, go vet, go fix) find, and propose what they can fix. The linters run when nothing else is left to propose, or on `selfware analyse --linters`; Ruff, golangci-lint, go vet and go fix, which run no code of the repository, on every `selfware analyse`. Always in the sandbox, and only in trusted workspaces.',
    ),
  'rules.disabled': z
    .array(z.string())
    .default([])
    .describe('Rules that are switched off, by id, in addition to those that `selfware.analysis.rules` switches off.'),
  'charter.approval': z
    .enum(['strict', 'moderate', 'minimal'])
    .default('strict')
    .describe(
      'Which changes need approval: `strict` = all; `moderate` = critical changes and changes of more than 100 lines; `minimal` = only safety-critical changes.',
    ),
  'charter.maxChanges': z
    .int()
    .min(0)
    .max(1000)
    .default(10)
    .describe(
      'The largest number of changes that are applied in a session: by one command, in one window, or by one ' +
        'unattended run. [Other limits](models.md#budgets-and-attempts) hold for a day.',
    ),
  'charter.protectedPaths': z
    .array(z.string())
    .default([])
    .describe(
      'Ignore patterns (as in .gitignore) for files that no proposal may touch, in addition to the built-in ones (CI configuration, manifests, entry points, safety code, the ruler).',
    ),
  'charter.authors': authorsSchema
    .default({})
    .describe(
      'What each author of proposals (`recipe`, `person`, `model`, `agent`, `client`) may do (`may`), and how often ' +
        '(`changesAnHour`, `changesADay`, `requestsAMinute`), such as ' +
        '`{"agent": {"may": ["propose"], "requestsAMinute": 10}}`. For whatever is left out, ' +
        '[the table](claims.md#what-each-author-may-do) holds. A run that exceeds a rate pauses.',
    ),
  'agents.mcpServer': z
    .boolean()
    .default(false)
    .describe(
      'In VS Code, also publish Selfware as a server of the Model Context Protocol (MCP), for agents that use only such servers. The server replaces the tools that Copilot and other extensions otherwise find, so that no tool is listed twice.',
    ),
  'verify.typesCommand': z
    .string()
    .default('')
    .describe('Command that checks types. Empty: detected (package script, tsc).'),
  'verify.lintCommand': z
    .string()
    .default('')
    .describe(
      'Command that runs the linter. Empty: detected (ESLint, Biome, oxlint, XO or a package script; also Ruff, Clippy, golangci-lint and go vet).',
    ),
  'verify.testCommand': z
    .string()
    .default('')
    .describe('Command that runs the tests. Empty: detected (package script).'),
  'verify.benchCommand': z
    .string()
    .default('')
    .describe(
      'A benchmark: a command that takes longer when the repository is slower, such as `npm run bench`. It runs in turns with and without a change, and a change that is slower beyond the measured noise is refused. Empty: no benchmark is run.',
    ),
  'verify.timeoutSeconds': z
    .int()
    .min(5)
    .max(7200)
    .default(600)
    .describe('A check that takes longer than this is ended, and its answer is *unknown*.'),
  'apply.probation': z
    .enum(['checks', 'always', 'points'])
    .default('checks')
    .describe(
      'How a change is judged in your tree before it is kept: `checks` = points, and also types and tests unless they have already passed on exactly this tree; `always` = points, types and tests; `points` = points alone.',
    ),
  'commit.branch': z
    .string()
    .min(1)
    .default('selfware/improvements')
    .describe(
      'Branch to which kept changes are committed on request. If it does not exist, it is created from HEAD. The branch that you have checked out never moves.',
    ),
  'commit.subject': z
    .string()
    .min(1)
    .default('{title}')
    .describe(
      'First line of such a commit, for instance `refactor: {title}`. `{title}` and `{recipe}` are replaced by those of the change.',
    ),
  'verify.differentialSeconds': z
    .int()
    .min(0)
    .max(3600)
    .default(10)
    .describe(
      'How long the old and the new code of a proposal are compared, in seconds: loading them, calling both with the same generated inputs, and confirming a difference. 0 switches this check off.',
    ),
  'verify.traceSeconds': z
    .int()
    .min(0)
    .max(7200)
    .default(20)
    .describe(
      'How long the tests run with recorded calls, in seconds, if generated inputs could not show whether old and new code do the same: twice without the change and once with it. 0 switches this off, and so does 0 for `verify.differentialSeconds`.',
    ),
  'verify.guardSeconds': z
    .int()
    .min(0)
    .max(7200)
    .default(20)
    .describe(
      'How long deliberate mistakes (mutants) are put into the touched lines to see whether the tests notice them, in seconds. 0 switches this check off.',
    ),
  'verify.guardMutants': z
    .int()
    .min(1)
    .max(500)
    .default(20)
    .describe('The largest number of deliberate mistakes (mutants), spread evenly over the touched lines.'),
  'verify.guardStrength': z
    .int()
    .min(1)
    .max(100)
    .default(80)
    .describe(
      'The percentage of deliberate mistakes (mutants) that the tests must notice to count as strong. A change of lines with weaker tests always needs approval, unless the old and the new code were shown to do the same.',
    ),
  'verify.together': z
    .int()
    .min(1)
    .max(16)
    .default(4)
    .describe(
      'How many changes by recipes, in different files, share one run of the type check and the tests in `improve --auto`; in a night, missing tests do. If the run fails, they are split until the reason is found. 1 = each change has runs of its own.',
    ),
  'checkpoints.keep': z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('Number of checkpoints that are kept; older ones are removed.'),
} as const;

/** The scopes of the settings whose scope is not `resource`. */
export const settingScopes: Partial<Record<keyof typeof settingSchemas, SettingScope>> = {
  // A repository can contain a `.vscode/settings.json`, so settings about proof have the scope `machine`: only the
  // person can change them.
  'charter.approval': 'machine',
  'charter.maxChanges': 'machine',
  'charter.protectedPaths': 'machine',
  'verify.timeoutSeconds': 'machine',
  'charter.authors': 'machine',
  'verify.differentialSeconds': 'machine',
  'verify.traceSeconds': 'machine',
  'verify.guardSeconds': 'machine',
  'verify.guardMutants': 'machine',
  'verify.guardStrength': 'machine',
  'verify.together': 'machine',
  'apply.probation': 'machine',
  'checkpoints.keep': 'machine',
  'verify.typesCommand': 'machine-overridable',
  'verify.lintCommand': 'machine-overridable',
  'verify.testCommand': 'machine-overridable',
  'verify.benchCommand': 'machine-overridable',
  'index.store': 'machine',
  'memory.references': 'machine',
  'memory.embedder': 'machine',
  'memory.embedderModel': 'machine',
  'memory.embedderUrl': 'machine',
  'memory.embedderLibrary': 'machine',
  'models.roles.intent': 'machine',
  'models.roles.reasoning': 'machine',
  'models.roles.coding': 'machine',
  'models.order': 'machine',
  'models.tokensPerTask': 'machine',
  'models.tokensPerDay': 'machine',
  'models.tokensPerRun': 'machine',
  'models.samples': 'machine',
  'models.prices': 'machine',
  'models.costPerTask': 'machine',
  'models.costPerRun': 'machine',
  'models.costPerDay': 'machine',
  'models.secondsPerTask': 'machine',
  'models.secondsPerRun': 'machine',
  'models.secondsPerDay': 'machine',
  'models.attemptsPerRun': 'machine',
  'models.attemptsPerDay': 'machine',
  'models.contextTokens': 'machine',
  'models.replyTokens': 'machine',
  'models.answerSeconds': 'machine',
  'models.beginSeconds': 'machine',
  'models.references': 'machine',
  'models.research': 'machine',
  'models.localLibrary': 'machine',
  'models.commands': 'machine',
  'night.notifyCommand': 'machine',
  'night.notifyUrl': 'machine',
  'night.metricsPort': 'machine',
  'learn.model': 'machine',
  'learn.trainCommand': 'machine',
  'learn.evaluateCommand': 'machine',
  'learn.trainMinutes': 'machine',
  'learn.modelGigabytes': 'machine',
  'learn.afterLearnings': 'machine',
  'learn.afterDays': 'machine',
  'learn.minSuccess': 'machine',
  'learn.checkMinutes': 'machine',
  'learn.port': 'machine',
  'performance.targets': 'machine',
  'night.waitForPower': 'machine',
  'night.keepAfterWindow': 'machine',
  'night.sideBySide': 'machine',
  'night.canaryEvery': 'machine',
  'night.searchFurther': 'machine',
  'night.redTeamTries': 'machine',
  'night.ruleTokens': 'machine',
  'memory.contextTokens': 'window',
  'agents.mcpServer': 'machine',
  // VS Code asks for the branch, with this value as the default.
  'commit.branch': 'machine-overridable',
  'diagnostics.scope': 'window',
  'notifications.decisions': 'window',
};

/** The schema of all settings. */
export const settingsSchema = z.object(settingSchemas);

/** The name of every setting, without the prefix `selfware.`. */
export const settingNames: ReadonlySet<string> = new Set(Object.keys(settingSchemas));

/** The value of every setting, by its dotted name without the prefix `selfware.`. */
export type Settings = Omit<z.infer<typeof settingsSchema>, 'analysis.rules'> & {
  readonly 'analysis.rules': RuleSettings;
};

/** The default of every setting. */
export const defaultSettings: Settings = { ...settingsSchema.parse({}), 'analysis.rules': {} };

/**
 * Validates raw settings one by one: an invalid value is reported and replaced by its default, so that one typing
 * mistake does not disable the product. Unknown names are also reported. `problems`: one sentence each.
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
      const ruleSettings = readRuleSettings(value);
      settings[name] = ruleSettings.rules;
      problems.push(...ruleSettings.problems);
      continue;
    }
    // An unknown name may be the name of a property of every object, such as `constructor`.
    const schema = settingNames.has(name) ? (settingSchemas as Record<string, z.ZodType>)[name] : undefined;
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
