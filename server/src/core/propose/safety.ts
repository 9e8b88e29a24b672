// How much a change could do, read from its diff alone: whoever proposed it is not asked.

import { SAFETY_LEVELS, type FileEdit, type SafetyLevel } from '../model.ts';
import { allComments, isDirective } from './syntax/comments.ts';
import { parseSource, syntaxErrors } from './syntax/parse.ts';
import { keepsMeaning } from './syntax/meaning.ts';
import { surfaceOf } from './syntax/surface.ts';
import { addsDeclarationsOnly, tokensOf } from './syntax/tokens.ts';

/** Files that decide what is checked, built, published or allowed. */
const CRITICAL = [
  /(^|\/)(tests?|__tests__|__mocks__|__snapshots__|specs?|e2e|fixtures|benchmarks?|bench)\//i,
  /[._-](test|tests|spec|specs|e2e|cy|bench|snap)(-d)?\.[^/]+$|\.snap$/i,
  /(^|\/)(package|package-lock|npm-shrinkwrap|composer|deno|jsr|lerna|nx|turbo|angular|project|biome|vercel|netlify)\.jsonc?$/i,
  /(^|\/)(yarn\.lock|pnpm-lock\.yaml|pnpm-workspace\.yaml|bun\.lockb?|cargo\.(toml|lock)|go\.(mod|sum)|pyproject\.toml|setup\.(py|cfg)|requirements[^/]*\.txt|makefile|dockerfile[^/]*|docker-compose[^/]*|codeowners|\.ci|jenkinsfile)$/i,
  /(^|\/)[^/]+\.config(\.[^/]+)?\.[cm]?[jt]sx?$/i,
  /(^|\/)(tsconfig|jsconfig)[^/]*\.json$/i,
  /(^|\/)\.[^/]+(\/|$)/,
];

/**
 * The highest level of any file. `additive`: comments, blanks or new unexported declarations only. `behaviorPreserving`:
 * the exported surface stands and the inner code is only rearranged. `behaviorChanging`: anything else, and whatever
 * cannot be judged. `critical`: tests, configuration, manifests and the like, whatever changes in them.
 */
export function safetyOf(edits: readonly FileEdit[]): SafetyLevel {
  const level = Math.max(0, ...edits.map((edit) => SAFETY_LEVELS.indexOf(levelOf(edit))));
  return SAFETY_LEVELS[level] ?? 'critical';
}

function levelOf({ path, before, after }: FileEdit): SafetyLevel {
  if (CRITICAL.some((pattern) => pattern.test(path))) return 'critical';
  if (before === after) return 'additive';
  if (before === null || after === null) return 'behaviorChanging';
  const old = parseSource(path, withoutMark(before));
  const changed = parseSource(path, withoutMark(after));
  if (!old || !changed || syntaxErrors(old).length > 0 || syntaxErrors(changed).length > 0) return 'behaviorChanging';
  // A comment that a tool reads can switch a check off.
  if (directives(old) !== directives(changed)) return 'behaviorChanging';
  if (tokensOf(old).join('\0') === tokensOf(changed).join('\0') || addsDeclarationsOnly(old, changed)) return 'additive';
  return surfaceOf(old) === surfaceOf(changed) && keepsMeaning(old, changed) ? 'behaviorPreserving' : 'behaviorChanging';
}

function directives(sourceFile: Parameters<typeof allComments>[0]): string {
  return allComments(sourceFile)
    .filter((comment) => isDirective(comment))
    .map(({ text }) => text)
    .join('\n');
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
