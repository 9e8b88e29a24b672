// What a repository may set: appearance, and more proof than a person asks for. Never less.

import type { Settings } from './schema.ts';

/** Laxest first. */
const PROBATIONS: readonly Settings['apply.probation'][] = ['points', 'checks', 'always'];

/**
 * The stricter of what a person and a repository say, for settings that decide how a change is proven or rolled back.
 */
const STRICTER: { readonly [Name in keyof Settings]?: (own: Settings[Name], team: Settings[Name]) => Settings[Name] } =
  {
    'verify.timeoutSeconds': Math.max,
    'verify.differentialSeconds': Math.max,
    'verify.guardSeconds': Math.max,
    'verify.guardMutants': Math.max,
    'verify.guardStrength': Math.max,
    'checkpoints.keep': Math.max,
    'apply.probation': (own, team) => (PROBATIONS.indexOf(team) > PROBATIONS.indexOf(own) ? team : own),
    // A pattern that takes protection away is refused by the caller, so the sum only protects more.
    'charter.protectedPaths': (own, team) => [...own, ...team.filter((pattern) => !pattern.startsWith('!'))],
  };

/** Strictest first. */
const APPROVALS: readonly Settings['charter.approval'][] = ['strict', 'moderate', 'minimal'];

/**
 * Which of `names` ask for less in `after` than in `before`, or say what only a person says: which commands prove a
 * change, and where texts of the repository go. How things look is nobody's safety.
 */
export function looserThan(before: Settings, after: Settings, names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const [was, is] = [before[name as keyof Settings], after[name as keyof Settings]];
    if (JSON.stringify(was) === JSON.stringify(is)) return false;
    if (name === 'charter.approval') return isLaxer(APPROVALS, before[name], after[name]);
    if (name === 'charter.maxChanges') return after[name] > before[name];
    if (name === 'charter.protectedPaths') {
      const isKept = before[name].every((pattern, at) => after[name][at] === pattern);
      return !isKept || after[name].slice(before[name].length).some((pattern) => pattern.startsWith('!'));
    }
    const word = teamWord(name);
    return word === 'personal' || (word === 'proof' && stricterOf(before, { [name]: is }).ignored.length > 0);
  });
}

function isLaxer<T>(strictestFirst: readonly T[], was: T, is: T): boolean {
  return strictestFirst.indexOf(is) > strictestFirst.indexOf(was);
}

/**
 * `looks`: the repository's word counts where the person says nothing. `proof`: the stricter counts. `personal`: left
 * out.
 */
export type TeamWord = 'looks' | 'proof' | 'personal';

/** Every setting has its row, so that a new one is open to repositories only if somebody says so. */
const WORDS: Readonly<Record<keyof Settings, TeamWord>> = {
  'index.maxFileKilobytes': 'looks',
  'index.exclude': 'looks',
  'index.store': 'personal',
  'search.workspaceSymbols': 'looks',
  'memory.contextTokens': 'looks',
  'memory.embedder': 'personal',
  'memory.embedderModel': 'personal',
  'memory.embedderUrl': 'personal',
  'memory.embedderLibrary': 'personal',
  'diagnostics.enable': 'looks',
  'diagnostics.scope': 'looks',
  'notifications.decisions': 'looks',
  'hover.enable': 'looks',
  'hover.details': 'looks',
  'codeLens.figures': 'looks',
  'analysis.rules': 'looks',
  'analysis.linters': 'looks',
  'rules.disabled': 'looks',
  'charter.approval': 'personal',
  'charter.maxChanges': 'personal',
  'charter.authors': 'personal',
  'charter.protectedPaths': 'proof',
  'models.tokensPerTask': 'personal',
  'models.tokensPerDay': 'personal',
  'models.contextTokens': 'personal',
  'models.replyTokens': 'personal',
  'models.answerSeconds': 'personal',
  'models.commands': 'personal',
  'agents.mcpServer': 'personal',
  'verify.typesCommand': 'personal',
  'verify.lintCommand': 'personal',
  'verify.testCommand': 'personal',
  'verify.benchCommand': 'personal',
  'verify.timeoutSeconds': 'proof',
  'verify.differentialSeconds': 'proof',
  'verify.guardSeconds': 'proof',
  'verify.guardMutants': 'proof',
  'verify.guardStrength': 'proof',
  'apply.probation': 'proof',
  'checkpoints.keep': 'proof',
  // Commits go to a branch that the person has named.
  'commit.branch': 'personal',
  'commit.subject': 'looks',
};

/** Null where there is no such setting. */
export function teamWord(name: string): TeamWord | null {
  return Object.hasOwn(WORDS, name) ? WORDS[name as keyof Settings] : null;
}

/** The person's settings with each of the repository's that is stricter. `ignored` names those that are not. */
export function stricterOf(
  own: Settings,
  team: Partial<Settings>,
): { readonly settings: Settings; readonly ignored: readonly (keyof Settings)[] } {
  const settings: Record<string, unknown> = { ...own };
  const ignored: (keyof Settings)[] = [];
  for (const name of Object.keys(team) as (keyof Settings)[]) {
    const stricter = STRICTER[name] as ((own: unknown, team: unknown) => unknown) | undefined;
    if (!stricter) continue;
    const [before, said] = [own[name], team[name]];
    settings[name] = stricter(before, said);
    const lost = Array.isArray(said)
      ? said.some((pattern: string) => pattern.startsWith('!'))
      : settings[name] !== said;
    if (lost) ignored.push(name);
  }
  return { settings: settings as unknown as Settings, ignored };
}
